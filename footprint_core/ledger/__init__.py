"""Repeated calls: fingerprints, the ledger and its note."""
