"""How much the secret gate finds, and how often it cries wolf, measured: `python -m scripts.gate`."""
