"""Constants of hosts fitted to measurements between two of them, with their errors and draws."""
