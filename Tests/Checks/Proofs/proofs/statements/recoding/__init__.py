"""`SignedWindows.recode`: the digits of a scalar add up to it."""
