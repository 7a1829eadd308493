"""The dashboard without a browser: links, commands, guard, markup, theme and view models."""
