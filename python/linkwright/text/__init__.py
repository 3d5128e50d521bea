"""Formats of text that several parts of the package read or write: CSV, TOML and GOAL."""
