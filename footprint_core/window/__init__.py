"""The window: turns, refusals, plans, the drop, traces and replay."""
