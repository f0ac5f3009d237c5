"""What runs inside an agent's Python to tell of its requests: standard library only, for Python 3.8 and newer.

Nothing here may change what the agent does: whatever goes wrong is told, and the request goes on as it was.
"""
