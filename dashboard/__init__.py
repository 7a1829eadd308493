"""The dashboard: streamlit, plotly and pandas live here only."""
