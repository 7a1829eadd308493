"""The sample runs, told as scripts: each module is one story, `python -m tests.stories` writes them to sample_runs/."""
