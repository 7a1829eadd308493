"""The core: ledgers, notices, window plans and replay, without any user interface."""
