"""Live widgets: thin Python classes, whose ES modules and styles are in `notebook_sne.browser.frontend`."""
