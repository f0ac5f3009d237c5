"""What is seen and held of the network of a process tree."""
