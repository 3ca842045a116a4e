"""Confidence of mentions: CRF marginals, calibration on devel, and thresholds."""
