"""The hardware engine's half on machines: programs of ranks, their clocks and counters."""
