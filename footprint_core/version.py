"""The one place that states this tool's version."""

VERSION = "0.1.0"
