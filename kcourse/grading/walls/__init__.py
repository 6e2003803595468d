"""The walls: a sandbox, what can be seen from inside it, and the proof that it holds."""
