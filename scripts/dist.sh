#!/usr/bin/env bash
# Makes what is shipped, in dist/ (DIST): the wheel, the zip for --py-files, the packed environment, the script to submit.
# EXTRAS: the extras that the packed environment holds. PYTHON: an interpreter with pip and pex, such as the cluster's.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${DIST:-dist}"
python="${PYTHON:-.venv/bin/python}"
extras="${EXTRAS-code,huggingface}"

# The same sources give the same wheel and zip. (The environment holds the newest packages that fit.)
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-315532800}"

# Not from a folder that holds files of an older build, which would be packed, too.
rm -rf build
mkdir -p "$dist"
rm -f "$dist"/lakechunk-*.whl "$dist"/lakechunk-*.zip "$dist"/lakechunk-*.pex
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$dist" .
wheel="$(echo "$dist"/lakechunk-*.whl)"
name="${wheel%-py3-none-any.whl}"

# A wheel is a zip, and Spark puts a zip on the path as it is.
cp "$wheel" "$name-py-files.zip"

cp scripts/submit.py "$dist/submit.py"

# Not PySpark: it must be the cluster's own, which is found behind what is packed (--inherit-path).
# Unpacked once on each machine (--venv), since packages with compiled parts cannot be imported from a zip.
version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
machine="$("$python" -c 'import platform; print(f"{platform.system()}-{platform.machine()}".lower())')"
"$python" -m pex "$wheel${extras:+[$extras]}" "pandas>=2,<3" \
    --output-file "$name-py${version/./}-$machine.pex" \
    --python-shebang "/usr/bin/env python$version" \
    --inherit-path=fallback --venv prepend --non-hermetic-venv-scripts
rm -rf build
ls -lh "$dist"
