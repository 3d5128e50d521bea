"""The description of a cluster by a person: design file, topologies, address schemes and parts.

Nothing here uses the compiled extension; `linkwright.network.compile` connects the two.
"""
