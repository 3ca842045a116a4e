"""Files and folders: safe reading and writing, compression, locks, TOML, run folders; processors."""
