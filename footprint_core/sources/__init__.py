"""Formats: bytes in, runs out. One module a format."""
