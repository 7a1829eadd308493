"""Skills: what a self-call carried, and the law its answer keeps."""
