"""The proofs. `README.md` lists the rooms and their import order, which `wrong_programs/test_rooms.py` checks."""
