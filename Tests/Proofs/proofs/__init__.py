"""The proofs: what each room holds, and in which order they may import each other, is in `README.md`; `soundness/wrong_programs/test_rooms.py` checks it."""
