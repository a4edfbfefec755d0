from tests.cluster.test_cluster import *
import pyarrow as pa, pyarrow.parquet as pq
def test_oom(cluster, tmp_path):
    src=tmp_path/"in"; src.mkdir()
    pq.write_table(pa.Table.from_pylist([{"id":f"d{i}","text":"Some words here. "*200} for i in range(30)]), src/"a.parquet")
    pq.write_table(pa.Table.from_pylist([{"id":f"e{i}","text":"Other words here. "*200} for i in range(30)]+[{"id":"monster","text":"Some words here, too. "*5_000_000}]), src/"b.parquet")
    conf=CONF|{"spark.executor.pyspark.memory":"2g"}
    for sets in ([],["--set","input.max_document_bytes=1000000000"]):
        out=tmp_path/f"out{len(sets)}"
        s=cluster.submit(["run","--input",str(src),"--output",str(out),*sets],conf)
        print(s.ended()); print(s.told[-3000:])
        if out.exists() and (out/"rejects").exists(): print(rows(out/"rejects"), len(rows(out/"documents")))
