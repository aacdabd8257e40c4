"""Tests the bound of `rounds.py` on all small numbers, and tests that the proof detects changed steps and hulls."""

import unittest

from proofs.statements.inversion.division_loop import ROUNDS, STEPS
from proofs.statements.inversion.rounds import BITS, added, bound, division_step, halved, maps, multiple, same_steps


def longest(bits, step=division_step):
    """Returns the maximum number of steps over all odd f < 2^bits and all g ≤ f. Tries each pair."""
    most = 0
    for f0 in range(1, 1 << bits, 2):
        for g0 in range(f0 + 1):
            delta, f, g, steps = 1, f0, g0, 0
            while g:
                delta, f, g = step(delta, f, g)
                steps += 1
            most = max(most, steps)
    return most


def without_swap(delta, f, g):
    return added(delta, f, g) if g & 1 else halved(delta, f, g)


class RoundTests(unittest.TestCase):
    def test_the_bound_is_that_of_small_numbers(self):
        for bits in range(2, 8):
            self.assertLessEqual(longest(bits), bound(bits, 80))
            self.assertLessEqual(bound(bits, 80), longest(bits) + 12)

    def test_a_turn_with_other_steps_is_noticed(self):
        self.assertFalse(same_steps(without_swap), "no swap")
        self.assertFalse(same_steps(lambda delta, f, g: division_step(delta - 1, f, g)), "a swap one later")
        self.assertFalse(same_steps(multiple=lambda f, g, limit: multiple(f, g, limit) ^ 1 << limit - 1), "another multiple")
        self.assertFalse(same_steps(multiple=lambda f, g, limit: multiple(f, -g, limit)), "a multiple of opposite sign")

    def test_a_hull_without_a_step_is_too_small(self):
        most = longest(7)
        for what, changed in (
            ("no steps of even g", lambda delta: maps(delta)[:1]),
            ("no steps of odd g", lambda delta: maps(delta)[1:]),
            ("sums are divided by 4", lambda delta: (lambda *state: halved(*maps(delta)[0](*state)), halved)),
        ):
            self.assertLess(bound(7, 80, changed) or 81, most, what)

    def test_a_hull_that_is_too_large_has_no_bound(self):
        self.assertIsNone(bound(7, 80, lambda delta: (added, halved)), "it never swaps")
        self.assertIsNone(bound(BITS // 4, ROUNDS * STEPS // 4 - 16), "one round less")
        self.assertIsNone(bound(BITS // 4 + 6, ROUNDS * STEPS // 4), "more bits")
