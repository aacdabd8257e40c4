"""Proves that `ModularInversion.inverse` ends within its rounds: 18 rounds of 62 division steps reduce g to 0.

This holds for every modulus of up to 384 bits, and for every number below the modulus. The proof needs no IR.

A division step (Bernstein and Yang, 2019/266, §8) maps δ, an odd f, and g as follows:

    δ > 0 and g odd:  (1 − δ, g, (g − f)/2)         else:  (1 + δ, f, (g + (g mod 2)·f)/2)

The steps start with δ = 1 and 0 ≤ g ≤ f ≤ 2^bits. The iterations of the loop make these steps, with η = −δ. `division_steps.py` proves that an iteration swaps
if and only if η < 0, and then adds w·f with w < 2^limit. It also proves that this addition clears `limit` ≤ η + 1 bits of g. Exactly one w has this property.
`same_steps` compares an iteration with `limit` division steps, for all odd f and g mod 2⁶. Each trailing zero of g corresponds to a step of the second kind
(`else`). The loop keeps only one word of f and one word of g. By the loop invariant, both words are correct mod 2^(64−k) after k steps, and k + limit ≤ 62.

The bound uses convex hulls (Wuille, "safegcd-bounds"). For every δ, the proof computes a hull that contains all (f, g) that the steps can reach. Since g may be
even or odd at every δ, this hull is the hull of the images of the previous hulls under both maps. Every map is linear, so it maps (−f, −g) to the negated image
of (f, g). The hulls can therefore be made symmetric. If |g| < 1 everywhere in a hull, the integer g is 0 there, and stays 0. If this holds for every δ, no run
needs more steps.

Two simplifications make the hulls larger, never smaller:

1. Numbers are rounded to `FRACTION` bits after the binary point. No map increases max(|f|, |g|), so n roundings move a point by less than n units in either
   coordinate.
2. A corner is dropped if it is within 1 + 2^−CORNERS times the hull of the other corners. After n such steps, the hull is too small by a factor of at most
   (1 + 2^−CORNERS)ⁿ ≤ `factor`. The proof therefore multiplies the points and the roundings by `factor`.
"""

from proofs.claim import Claim
from proofs.outcomes import Unproven
from proofs.statements.inversion.division_loop import LARGEST_ETA, ROUNDS, STEPS

BITS = 384  # length of the P-384 modulus; the P-256 modulus is shorter
FRACTION = 40
CORNERS = 8


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def difference(a, b):
    return a[0] - b[0], a[1] - b[1]


def half_hull(points):
    """Returns the lower half of a symmetric set's hull, from the leftmost point to the rightmost point. Of a point and its negation, uses the point below
    the line through the leftmost and the rightmost point.
    """
    right = max(max(points), max((-f, -g) for f, g in points))
    below = {point if cross(right, point) <= 0 else (-point[0], -point[1]) for point in points} | {right, (-right[0], -right[1])}
    chain = []
    for point in sorted(below):
        while len(chain) > 1 and cross(difference(chain[-1], chain[-2]), difference(point, chain[-2])) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def fewer_corners(chain):
    """Drops corners between two kept corners. Each dropped corner, times (1 + ε)⁻¹, must be on the origin's side of the line through the kept corners."""
    kept, last = chain[:1], 0  # the index of the last kept corner
    while last < len(chain) - 1:
        following = last + 1
        while following + 1 < len(chain):
            first, second = chain[last], chain[following + 1]
            side, area = difference(second, first), cross(first, second)
            between = chain[last + 1 : following + 1]
            if area <= 0 or any(cross(corner, side) << CORNERS > area * (1 + (1 << CORNERS)) for corner in between):
                break
            following += 1
        kept.append(chain[following])
        last = following
    return kept


def swapped(delta, f, g):
    return 1 - delta, g, (g - f) >> 1


def added(delta, f, g):
    return 1 + delta, f, (g + f) >> 1


def halved(delta, f, g):
    return 1 + delta, f, g >> 1


def maps(delta):
    """Returns the two maps that a step at δ can apply: for odd g and for even g."""
    return (swapped if delta > 0 else added), halved


def bound(bits, limit, maps=maps):
    """Returns a number of division steps after which g = 0 for all 0 ≤ g ≤ f ≤ 2^bits. Returns None if the proof needs more than `limit` steps."""
    unit, size = 1 << FRACTION, 1 << bits + FRACTION
    factor = 1
    while ((1 << CORNERS) + 1) ** limit > factor << CORNERS * limit:
        factor += 1
    hulls = {1: half_hull([(size, 0), (size, size)])}
    for steps in range(1, limit + 1):
        images = {}
        for delta, corners in hulls.items():
            for step in maps(delta):
                for f, g in corners:
                    following, *point = step(delta, f, g)
                    images.setdefault(following, []).append(tuple(point))
        hulls = {
            delta: fewer_corners(half_hull(points)) for delta, points in images.items()
            if factor * (max(abs(g) for _, g in points) + steps) >= unit
        }
        if not hulls:
            return steps
    return None


def division_step(delta, f, g):
    if g & 1:
        return swapped(delta, f, g) if delta > 0 else added(delta, f, g)
    return halved(delta, f, g)


def multiple(f, g, limit):
    """Returns the w < 2^limit with 2^limit | g + w·f."""
    return -g * pow(f, -1, 1 << limit) % (1 << limit)


def same_steps(step=division_step, multiple=multiple):
    """Returns whether the swap and the added multiple of an iteration have the same matrix as `limit` division steps. Both matrices depend only on f and g mod
    2⁶, and the check tries all odd values. Up to four values of η represent every η ≥ limit − 1.
    """
    for limit in range(1, 7):
        for eta in {limit - 1, limit, 6, LARGEST_ETA}:
            for f in range(1, 64, 2):
                for g in range(1, 64, 2):
                    for swap in (0, 1):
                        if swap and not eta:
                            continue  # a swap requires η < 0, and the new η is then positive
                        first, other = (g, -f) if swap else (f, g)
                        expected = limit - eta, first, (other + multiple(first, other, limit) * first) >> limit
                        state = eta if swap else -eta, f, g
                        for _ in range(limit):
                            state = step(*state)
                        if state != expected:
                            return False
    return True


class Rounds(Claim):
    name = "safegcd rounds"
    text = f"g = 0 within the {ROUNDS * STEPS} division steps of {ROUNDS} rounds, for {BITS} bits"
    of = ("ModularInversion.inverse",)

    def prove(self, module):
        if not same_steps():
            raise Unproven("a turn of the loop is not so many division steps")
        found = bound(BITS, ROUNDS * STEPS)
        if found is None:
            raise Unproven("the rounds are not shown to suffice")
        return f"{found} steps"
