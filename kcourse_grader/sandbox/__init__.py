"""Where submissions are executed, what can be seen from there, and the proof that they stay in."""
