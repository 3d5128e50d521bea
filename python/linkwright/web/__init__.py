"""The workbench: a local server for one user's browser, and the processes that compute for it.

No logic of its own: it passes texts to the other parts and their answers to the page. It listens on
the loopback alone, changes no machine, and writes nothing but the design that its user saves and
the folder of a study that the user runs. The reasons are in docs/design/workbench.md.
`server.serve` starts it; nothing is imported here, because the worker processes need other modules
than the server.
"""
