"""Proves that `ModularInversion.inverse` ends within its rounds: that 18 rounds of 62 division steps bring g to 0.
It holds for every modulus and every number below it of up to 384 bits, and needs no IR.

A division step (Bernstein and Yang, 2019/266, §8) on δ, an odd f and g:

    δ > 0 and g odd:  (1 − δ, g, (g − f)/2)         else:  (1 + δ, f, (g + (g mod 2)·f)/2)

It starts at δ = 1, 0 ≤ g ≤ f ≤ 2^bits. As `division_steps.py` proves them, the turns of the loop take these steps, η being −δ: a swap exactly
if η < 0, then a multiple w < 2^limit of f that clears `limit` bits of g, limit ≤ η + 1, of which there is one. `same_steps` compares that with `limit` division steps, for
all odd f and g mod 2⁶. Zeros of g are steps of the other kind. The loop has words for f and g: after k steps they are right mod 2^(64−k), as its invariant says, and k + limit ≤ 62.

The bound is that of the convex hull (Wuille, "safegcd-bounds"): for every δ, which may follow any parity of g, the hull of all (f, g) that can
have been reached is the hull of the images of the hulls before. Every map is linear, and (−f, −g) goes where (f, g) does, so that the hull can be
taken symmetric. Once |g| < 1 in all of a hull, the integer g is 0 there, and stays 0. When that is so for every δ, no run is longer.

Two simplifications make the sets larger, never smaller. (1) Numbers are rounded to `FRACTION` bits after the point. No map increases max(|f|, |g|),
so that n roundings move a point by less than n units in either coordinate. (2) Corners that lie within 1 + 2^−CORNERS times the hull of the others
are dropped. n times that make a factor below `factor`, by which the points and the roundings are multiplied.
"""

from proofs.claim import Claim
from proofs.outcomes import Unproven
from proofs.statements.inversion.division_loop import LARGEST_ETA, ROUNDS, STEPS

BITS = 384  # the modulus of P-384, and of P-256 the more
FRACTION = 40
CORNERS = 8


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def difference(a, b):
    return a[0] - b[0], a[1] - b[1]


def half_hull(points):
    """The lower half of the hull of a symmetric set, from its leftmost point to its rightmost: of each point and its opposite, the one below that line."""
    right = max(max(points), max((-f, -g) for f, g in points))
    below = {point if cross(right, point) <= 0 else (-point[0], -point[1]) for point in points} | {right, (-right[0], -right[1])}
    chain = []
    for point in sorted(below):
        while len(chain) > 1 and cross(difference(chain[-1], chain[-2]), difference(point, chain[-2])) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def fewer_corners(chain):
    """Of two corners those between them are dropped, if (1 + ε)⁻¹ times each is on this side of the line through the two."""
    kept, last = chain[:1], 0  # the place of the last that is kept
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
    """The steps that can follow for a δ: of an odd g, of an even one."""
    return (swapped if delta > 0 else added), halved


def bound(bits, limit, maps=maps, first=1):
    """The number of division steps after which g = 0 for all 0 ≤ g ≤ f ≤ 2^bits, or None if that is not shown of `limit`."""
    unit, size = 1 << FRACTION, 1 << bits + FRACTION
    factor = 1
    while ((1 << CORNERS) + 1) ** limit > factor << CORNERS * limit:
        factor += 1
    hulls = {first: half_hull([(size, 0), (size, size)])}
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
    """The w < 2^limit with 2^limit | g + w·f."""
    return -g * pow(f, -1, 1 << limit) % (1 << limit)


def same_steps(step=division_step, multiple=multiple):
    """That a turn's swap and multiple are `limit` division steps, as matrices: for odd f and g mod 2⁶ on which they depend, and every η ≥ limit − 1."""
    for limit in range(1, 7):
        for eta in {limit - 1, limit, 6, LARGEST_ETA}:
            for f in range(1, 64, 2):
                for g in range(1, 64, 2):
                    for swap in (0, 1):
                        if swap and not eta:
                            continue  # a swap is of η < 0, and leaves −η > 0
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
