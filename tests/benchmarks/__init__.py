"""Benchmarks: figures for the budgets, printed and never asserted."""
