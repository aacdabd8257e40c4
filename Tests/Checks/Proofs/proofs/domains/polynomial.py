"""Implements polynomials with integer coefficients as dictionaries {monomial: coefficient} without zeros.

A monomial is the sorted tuple of its symbol numbers. () is the monomial of the constant term. This module does not know
the meaning of a symbol. Trusted: these functions implement the arithmetic of polynomials.
"""


def add(left, right, factor=1):
    """Returns left + factor·right."""
    total = dict(left)
    for monomial, coefficient in right.items():
        changed = total.get(monomial, 0) + factor * coefficient
        if changed:
            total[monomial] = changed
        else:
            total.pop(monomial, None)
    return total


def scale(polynomial, factor):
    return {monomial: coefficient * factor for monomial, coefficient in polynomial.items()} if factor else {}


def number(words, bits=64):
    """Returns Σ wᵢ·2^(bits·i)."""
    total = {}
    for position, word in enumerate(words):
        total = add(total, word, 1 << bits * position)
    return total


def with_term(polynomial, monomial, replacement):
    """Replaces the term with this monomial by its coefficient times the replacement."""
    coefficient = polynomial[monomial]
    return add(add(polynomial, {monomial: coefficient}, -1), replacement, coefficient)


def multiply(left, right):
    product = {}
    for left_monomial, left_coefficient in left.items():
        for right_monomial, right_coefficient in right.items():
            monomial = tuple(sorted(left_monomial + right_monomial))
            changed = product.get(monomial, 0) + left_coefficient * right_coefficient
            if changed:
                product[monomial] = changed
            else:
                product.pop(monomial, None)
    return product


def constant(number):
    return {(): number} if number else {}


def is_constant(polynomial):
    return not polynomial or (len(polynomial) == 1 and () in polynomial)


def value(polynomial):
    """Returns the constant term, which is the value of a constant polynomial."""
    return polynomial.get((), 0)


def symbols_of(polynomial):
    return {symbol for monomial in polynomial for symbol in monomial}


def only_symbol(polynomial):
    """Returns (symbol, coefficient) if the polynomial is coefficient·symbol + a constant, else None."""
    monomials = [monomial for monomial in polynomial if monomial]
    if len(monomials) != 1 or len(monomials[0]) != 1:
        return None
    return monomials[0][0], polynomial[monomials[0]]


def without(monomial, symbol):
    """Divides the monomial by one of its symbols."""
    position = monomial.index(symbol)
    return monomial[:position] + monomial[position + 1 :]


def replaced(polynomial, symbol, replacement):
    """Replaces one occurrence of a symbol in each monomial. Higher powers of the symbol need further calls."""
    total = {}
    for monomial, coefficient in polynomial.items():
        if symbol in monomial:
            total = add(total, multiply({without(monomial, symbol): coefficient}, replacement))
        else:
            total = add(total, {monomial: coefficient})
    return total
