"""Reports: what is on the screen as a card, Markdown, HTML or a bundle, contents hidden unless shown on purpose."""
