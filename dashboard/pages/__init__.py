"""The two pages: Runs and Run."""
