"""A cable fails under a stream of pings: how long fallback routes and routing daemons take.

Three routings of a ring of three nodes, on real kernels of this machine. A cable is pulled, which
both ends notice; or it loses every frame for six seconds, which none does. Needs root,
/dev/net/tun, ping and FRR (Debian: iputils-ping, frr).
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

ROUTINGS = {
    "fallback routes": "{fallback: true}",
    "OSPF": "{daemon: ospf}",
    "OpenFabric": "{daemon: openfabric}",
}
FAULTS = {"pulled": "cable:0 down at 1s", "loses all": "cable:0 loss 1 from 1s to 7s"}
RING = """
name: ring
topology: {{kind: ring, shape: [3]}}
parts: {{catalogue: whitney-1998}}
routing: {routing}
"""
LINKWRIGHT = str(Path(sys.executable).with_name("linkwright"))
PING = ("ping", "-D", "-i", "0.005", "-w", "9", "n1")


def silence_s(design: Path, fault: str) -> float:
    """Return the longest time between two answers, in seconds."""
    command = [LINKWRIGHT, "emulate", str(design), "-q", "--dilation", "1", "--fault", fault]
    done = subprocess.run([*command, "--", *PING], capture_output=True, text=True, check=False)
    if "bytes from" not in done.stdout:
        sys.exit(done.stderr)
    answers = [
        float(time_s) for time_s in re.findall(r"^\[([\d.]+)\] \d+ bytes", done.stdout, re.M)
    ]
    return float(np.diff(answers).max())


with TemporaryDirectory() as folder:
    design = Path(folder, "ring.yaml")
    for name, routing in ROUTINGS.items():
        design.write_text(RING.format(routing=routing), encoding="utf-8")
        times = (f"{fault}: {silence_s(design, words):6.3f} s" for fault, words in FAULTS.items())
        print(f"{name:15}", ", ".join(times), flush=True)
