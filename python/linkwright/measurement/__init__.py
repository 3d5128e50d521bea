"""A cluster that is up, measured: classes of paths, and figures beside their predictions."""
