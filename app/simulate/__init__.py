"""The command that replays a trace of requests: what was typed, files, how far it is, totals."""
