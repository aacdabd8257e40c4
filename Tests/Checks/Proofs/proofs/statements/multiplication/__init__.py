"""The loop of a double multiplication: the sum of the digits' multiples."""
