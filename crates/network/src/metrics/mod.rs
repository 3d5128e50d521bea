//! Properties of a network, one file per property.
