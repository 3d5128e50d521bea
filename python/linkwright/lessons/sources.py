"""The sources of the lessons, by their keys in docs/references.md."""

from __future__ import annotations

__all__ = ["SOURCES"]

SOURCES: dict[str, str] = {
    "BEOWULF-1996": "C. Reschke et al.: A Design Study of Alternative Network Topologies for the"
    " Beowulf Parallel Workstation. HPDC 1996.",
    "BOGGS-1988": "D. Boggs, J. Mogul, C. Kent: Measured Capacity of an Ethernet: Myths and"
    " Reality. SIGCOMM 1988.",
    "IEEE-802.3": "IEEE Std 802.3, Ethernet, clause 4: carrier sense, collisions, back-off.",
    "LINUX": "Linux 6, Documentation/networking/bonding.rst: balance-rr and the order of packets.",
    "LINUX-2.0": "Linux 2.0.40, source of the TCP layer.",
    "LONCARIC-1999": "J. Loncaric: Linux 2.2.2 TCP delays every 41st small packet by 10-20 ms."
    " linux-kernel mailing list, 1999.",
    "NAS-97-017": "K. Pedretti, S. Fineberg: Analysis of 2D Torus and Hub Topologies of 100Mb/s"
    " Ethernet for the Whitney Commodity Computing Testbed. 1997.",
    "NELAKUDITI-2007": "S. Nelakuditi, S. Lee, Y. Yu, Z.-L. Zhang, C.-N. Chuah: Fast local"
    " rerouting for handling transient link failures. IEEE/ACM Transactions on Networking, 2007.",
    "PMESH-1998": "B. Nitzberg et al.: The P-Mesh: a Commodity-based Scalable Network Architecture"
    " for Clusters. 1998.",
    "RFC-1122": "R. Braden: Requirements for Internet Hosts - Communication Layers. 1989. Section"
    " 4.2.3.2.",
    "RFC-5681": "M. Allman et al.: TCP Congestion Control. 2009.",
    "RFC-6298": "V. Paxson et al.: Computing TCP's Retransmission Timer. 2011.",
    "RFC-8985": "Y. Cheng et al.: The RACK-TLP Loss Detection Algorithm for TCP. 2021.",
    "SHOCH-1980": "J. Shoch, J. Hupp: Measured Performance of an Ethernet Local Network. 1980.",
}
