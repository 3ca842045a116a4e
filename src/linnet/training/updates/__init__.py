"""What happens in each update of a network: memory, parts of a batch, dropout, embeddings, a running average."""
