"""Live widgets: thin Python classes, each beside its ES module and style sheet."""
