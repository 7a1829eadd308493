"""View models: plain data from pure functions of a run, a trace and a view state. No streamlit here."""
