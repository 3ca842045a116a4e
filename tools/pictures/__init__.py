"""Pictures of the documentation: drawings of the concepts, and screenshots of the page of `linnet serve`."""
