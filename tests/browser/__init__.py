"""The dashboard in Chromium: what only a real page can show."""
