"""Harbor's Agent Trajectory Interchange Format (ATIF), version 1.7."""

from runwright.writers.atif.write import write_atif
from runwright.writers.writer import Writer

ATIF = Writer(
    name="atif",
    write=write_atif,
    suffix=".json",
    used="Harbor and what reads its trajectories",
    kept="each conversation as a trajectory: system and user messages, replies with reasoning, tool calls and what the "
    "model was told of their results, declared tools, models, usage, starts",
    lost="failed exchanges, parameters, images and other media, stop reasons, durations, what tools did beside what "
    "the model was told",
)

__all__ = ["ATIF", "write_atif"]
