"""Turn a run of an AI agent that went wrong in production into a test that guards it forever."""

__version__ = "0.1.0"
