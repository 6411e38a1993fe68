# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The polynomials of tern's elementary functions: computes them from their definition and prints them as C++ literals.

usage: elementary_coefficients.py [--check <include/tern/core/math>]

Needs mpmath (pip install mpmath); runs for about a minute. With --check it also fails where a coefficient of the
headers is not the one computed here.

Each polynomial P is the minimax approximation of a function g on an interval under a weight w: the one with the
smallest max |w (g - P)|. It is found by Remez' exchange of points (https://en.wikipedia.org/wiki/Remez_algorithm) with
60 digits on 4000 points. The weights make the weighted error the relative error of the elementary function. Then every
coefficient is rounded; of the lowest three, which matter most, each is tried rounded to nearest and one step to either
side. Leading terms (1 + x, x, x - x^2 / 2, ...) are exact by construction and not part of P.
"""
import itertools
import pathlib
import sys

from mpmath import (cos, erf, erfc, exp, expm1, findroot, ldexp, log, log1p, lu_solve, matrix, mp, mpf, ncdf, nint, npdf,
                    pi, sqrt, tanh)

mp.dps = 60
POINTS = 4000


def horner(coefficients, x):
    y = mpf(0)
    for c in reversed(coefficients):
        y = y * x + c
    return y


def remez(g, w, low, high, count):
    """The `count` coefficients, lowest first, that minimise max |w (g - P)| over [low, high]."""
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / (POINTS - 1)) for i in range(POINTS)]
    table = [(x, g(x), w(x)) for x in grid if w(x) != 0]
    last = len(table) - 1
    chosen = [round(last * i / count) for i in range(count + 1)]  # the grid is a Chebyshev grid already
    best = None
    for _ in range(60):
        a, b = matrix(count + 1), matrix(count + 1, 1)
        for row, i in enumerate(chosen):
            x, value, weight = table[i]
            power = mpf(1)
            for column in range(count):
                a[row, column] = power
                power *= x
            a[row, count] = (-1) ** row / weight
            b[row] = value
        solution = lu_solve(a, b)
        coefficients, level = [solution[i] for i in range(count)], abs(solution[count])
        error = [weight * (value - horner(coefficients, x)) for x, value, weight in table]
        worst = max(abs(e) for e in error)
        if best is None or worst < best[0]:
            best = (worst, coefficients)
        if worst < level * mpf("1.0001"):
            break
        # the largest error between two changes of sign; then as many neighbours as are needed, from the better end
        extrema = []
        for i, e in enumerate(error):
            if extrema and (error[extrema[-1]] > 0) == (e > 0):
                if abs(e) > abs(error[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        if len(extrema) < count + 1:
            break
        chosen = extrema
    return best[1], table


def worst_error(coefficients, table):
    return max(abs(weight * (value - horner(coefficients, x))) for x, value, weight in table)


def rounded(x, bits, steps=0):
    """x to the nearest number of `bits` bits, or so many steps above it (no coefficient is subnormal)."""
    exponent = int(mp.floor(log(abs(x), 2))) - bits + 1
    return ldexp(nint(ldexp(x, -exponent)) + steps, exponent)


def rounded_polynomial(coefficients, table, bits):
    """The coefficients with `bits` bits each: the best of the candidates on every tenth point."""
    rest = [rounded(c, bits) for c in coefficients[3:]]
    candidates = ([rounded(c, bits, s) for c, s in zip(coefficients, steps)] + rest
                  for steps in itertools.product((0, -1, 1), repeat=3))
    return min(candidates, key=lambda c: worst_error(c, table[::10]))


def literal(x, bits):
    mantissa, exponent = float(x).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent + ("f" if bits == 24 else "")


HALF_LN2 = log(2) / 2 * mpf("1.001")  # a little more than log(2) / 2: the rounding of n is itself rounded
TANH_SMALL = mpf("0.625")
ERF_SMALL = mpf("0.875")
ERF_ONE = {24: mpf(4), 53: mpf(6)}
GELU_TAIL = mpf("6.5")  # farther out what is left is too small to matter


def gelu_tail_slope(t):
    """The derivative of -t ncdf(-t), negated: what gelu's derivative is at -t."""
    return ncdf(-t) - t * npdf(t)


GELU_LEAST = findroot(gelu_tail_slope, mpf("0.75"))  # gelu is least at minus this


# name: (g, w, interval, number of coefficients), for the 24 and the 53 bits of float and double; without a number of
# coefficients there is none
POLYNOMIALS = {
    "exp: exp(x) = 1 + x + x^2 P(x)": lambda bits: (
        lambda x: (expm1(x) - x) / x**2, lambda x: x**2 / exp(x),
        -HALF_LN2, HALF_LN2, {24: 5, 53: 10}[bits]),
    "log: log(1 + x) = x + x^2 (-1/2 + x P(x))": lambda bits: (
        lambda x: (log1p(x) - x + x**2 / 2) / x**3, lambda x: x**3 / log1p(x),
        sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, {24: 8, 53: 20}[bits]),
    "tanh: tanh(x) = x + x^3 P(x^2)": lambda bits: (
        lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / tanh(sqrt(z)),
        mpf(10) ** -20, TANH_SMALL ** 2, {24: 5, 53: 11}[bits]),
    "erf: erf(x) = x + x P(x^2)": lambda bits: (
        lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: sqrt(z) / erf(sqrt(z)),
        mpf(10) ** -20, ERF_SMALL ** 2, {24: 6, 53: 12}[bits]),
    "erf: erf(x) = 1 - exp(P(x))": lambda bits: (
        lambda x: log(erfc(x)), lambda x: erfc(x) / erf(x),
        ERF_SMALL, ERF_ONE[bits], {24: 7, 53: 20}[bits]),
    "gelu: ncdf(-t) = 1/2 (1 + 2 t P(t))^-4, relative to 1/2 (2 ncdf(-t))^(1/32)": lambda bits: (
        lambda t: ((2 * ncdf(-t)) ** (-mpf(1) / 4) - 1) / (2 * t),
        lambda t: 8 * t * (2 * ncdf(-t)) ** (mpf(5) / 4 - mpf(1) / 32),
        mpf(10) ** -20, GELU_TAIL, {24: 11}.get(bits)),
    "gelu's derivative: ncdf(-t) - t npdf(t) = (1/2 - t / (2 t0)) (1 + 2 t P(t))^-8, relative to 1": lambda bits: (
        lambda t: (((1 - t / GELU_LEAST) / (2 * gelu_tail_slope(t))) ** (mpf(1) / 8) - 1) / (2 * t),
        lambda t: 16 * t * abs(gelu_tail_slope(t)) * (2 * gelu_tail_slope(t) / (1 - t / GELU_LEAST)) ** (mpf(1) / 8),
        mpf(10) ** -20, GELU_TAIL, {24: 9}.get(bits)),
}


def report():
    """Computes and prints everything; returns the literals."""
    literals = []
    for name, problem in POLYNOMIALS.items():
        for bits, format in ((24, "float"), (53, "double")):
            if problem(bits)[-1] is None:
                continue
            coefficients, table = remez(*problem(bits))
            final = rounded_polynomial(coefficients, table, bits)
            text = [literal(c, bits) for c in reversed(final)]
            literals += text
            print(f"{name}, {format}: relative error 2^{float(log(worst_error(coefficients, table), 2)):.1f}, "
                  f"with rounded coefficients 2^{float(log(worst_error(final, table), 2)):.1f}\n    {', '.join(text)}")
    for bits, short in ((24, 16), (53, 42)):  # n * high is exact for every exponent n
        high = ldexp(mp.floor(ldexp(log(2), short)), -short)
        text = [literal(rounded(c, bits), bits) for c in (1 / log(2), high, log(2) - high, sqrt(mpf(1) / 2))]
        literals += text[:3]
        print("1 / log 2 = {}, log 2 = {} + {}, sqrt(1/2) = {}".format(*text))
    text = literal(rounded(1 / (2 * GELU_LEAST), 24), 24)
    literals.append(text)
    print(f"1 / (2 * where gelu is least) = {text}")
    return literals


def main():
    literals = report()
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        headers = "".join(path.read_text() for path in pathlib.Path(sys.argv[2]).glob("*.hpp"))
        missing = [text for text in literals if text not in headers]
        print(f"{len(literals) - len(missing)} of {len(literals)} numbers are in the headers; missing: {missing}")
        return 1 if missing else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
