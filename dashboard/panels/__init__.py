"""Panels: each draws one view model and knows nothing of where it came from."""
