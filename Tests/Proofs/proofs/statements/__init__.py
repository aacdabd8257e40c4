"""What is proven: a file or a folder for each family of routines, in the order of the article *Proofs*, and the register of all of them."""
