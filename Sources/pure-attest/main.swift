print("pure-attest")
