"""Scores of all objects that a live view colors by: when they are due, and how they are found."""
