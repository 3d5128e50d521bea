"""The one executor of many runs: it hands work to a pool of workers and takes their answers.

Studies, comparisons, papers, fits and the repeats of one run are work; it knows none of them.
"""
