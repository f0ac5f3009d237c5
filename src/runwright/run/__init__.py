"""One flow, one suite: start the agent, serve, observe, judge."""
