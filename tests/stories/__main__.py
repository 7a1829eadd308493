"""`python -m tests.stories` writes every story anew into sample_runs/; the same source gives the same bytes."""

import sys

from tests.stories.shelf import write_all

if __name__ == "__main__":
    for path, size in write_all():
        sys.stdout.write(f"{size:>8,}  {path}\n")
