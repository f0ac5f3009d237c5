"""MLflow: traces of the second and the third version of its data model."""

from runwright.readers.mlflow.read import names_told, read_mlflow, sniff_mlflow
from runwright.readers.reader import Reader

MLFLOW = Reader(
    name="mlflow",
    sniff=sniff_mlflow,
    read=read_mlflow,
    recognised="JSON of traces with `info` and `data`, or of `spans` with `mlflow.*` attributes; rows of a search",
    kept="spans of models and tools with nesting and agents, requests and replies of autologged clients whole, errors, "
    "usage, times",
    lost="assessments, tags, stack traces; retrievers, embeddings; how a streamed reply came in pieces; what was "
    "traced by hand in no known shape",
    told=names_told,
    versions="3.17; `request_id` of the second data model as documented",
)

__all__ = ["MLFLOW", "read_mlflow", "sniff_mlflow"]
