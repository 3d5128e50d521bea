"""What a person describes: the design file, topologies, address schemes and parts.

Nothing here knows of the compiled extension; `linkwright.network.compile` joins the two.
"""
