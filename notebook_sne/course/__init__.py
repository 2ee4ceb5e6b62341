"""Lectures as pages: notebooks that are run once, with all that they show, as files that open without Python.

`kept` runs inside the kernel of a lecture and keeps what its widgets and figures need in a page. `running` runs a
notebook so. `prose` turns Markdown and its equations into HTML, `outputs` what cells show, `heads` reads how a lecture
begins and `order` in which order lectures are read; `pages` joins all to one file a lecture, and an index.
"""
