# An image for Spark on Kubernetes, driver and executors alike. Build: make dist && docker build --tag lakechunk .
# Take the tag that fits the cluster's Spark; the image must hold Python 3.10 or newer (before 3.11, tiktoken counts).
FROM apache/spark:4.0.1-scala2.13-java17-python3-ubuntu

USER root
# For s3a:// also: hadoop-aws and the AWS bundle of Spark's Hadoop version, into /opt/spark/jars.
COPY dist/lakechunk-*.whl /opt/lakechunk/
COPY dist/submit.py /opt/lakechunk/
# The image's PySpark is the one to use, so lakechunk comes without the extra `spark`.
RUN set -- /opt/lakechunk/lakechunk-*.whl && python3 -m pip install --no-cache-dir "$1[code,huggingface]" "pandas>=2,<3"
# Executors run as this user.
USER spark
ENV PYSPARK_PYTHON=python3
