"""The command line: one command a file; a command parses, calls one library function, prints and exits."""
