"""What went wrong in a run's windows, and why: one file a kind, each a pure function of run, trace and settings."""
