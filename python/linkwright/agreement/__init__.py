"""The engines beside each other: the fast ones and the emulation against the packet engine."""
