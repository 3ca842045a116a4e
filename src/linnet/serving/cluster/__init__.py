"""Serving with replicas on a cluster: one front takes the requests, and any replica answers them."""
