"""Numbers by their texts: exact whatever their size and precision."""
import re
from functools import lru_cache

_number = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def is_number(text):
    return _number.fullmatch(text) is not None


@lru_cache(maxsize=50_000)
def parts(text):
    """(n, e) with the value n * 10**e, and n not a multiple of ten; (0, 0) for zero."""
    sign, whole, fraction, exponent = _number.fullmatch(text).groups()
    digits = (whole + (fraction or "")).lstrip("0")
    if not digits:
        return 0, 0
    scale = int(exponent or 0) - len(fraction or "")
    short = digits.rstrip("0")
    return int(sign + short), scale + len(digits) - len(short)


def _sign(n):
    return (n > 0) - (n < 0)


def compare(a, b):
    """-1, 0 or 1, of two pairs of parts."""
    (a, ae), (b, be) = a, b
    if _sign(a) != _sign(b) or not a:
        return _sign(_sign(a) - _sign(b))
    # By the place of their first digits, so that no power is ever written out.
    a_top, b_top = len(str(abs(a))) + ae, len(str(abs(b))) + be
    if a_top != b_top:
        return _sign(a) * _sign(a_top - b_top)
    low = min(ae, be)
    return _sign(a * 10 ** (ae - low) - b * 10 ** (be - low))


def is_multiple(a, b):
    (a, ae), (b, be) = a, b
    if not a or not b:
        return not a and bool(b)
    if ae >= be:
        return a * pow(10, ae - be, abs(b)) % abs(b) == 0
    # a has no factor ten, but may have all its twos or all its fives.
    gap = be - ae
    return gap <= a.bit_length() and a % (b * 10 ** gap) == 0


def whole(text):
    """The integer that a number is; None if it has a fraction, and False if it has more than 100 digits."""
    n, e = parts(text)
    if e < 0:
        return None
    return n * 10 ** e if e + len(str(n)) <= 100 else False


def written(n, e):
    """With as few digits as it takes, and without an exponent unless there would be more than forty zeros."""
    if not n:
        return "0"
    digits, sign = str(abs(n)), "-" if n < 0 else ""
    short = digits.rstrip("0")
    e += len(digits) - len(short)
    top = len(short) + e
    if 0 <= e <= 40:
        return sign + short + "0" * e
    if e < 0 < top:
        return f"{sign}{short[:top]}.{short[top:]}"
    if e < 0 and -top <= 40:
        return f"{sign}0.{'0' * -top}{short}"
    return f"{sign}{short[0]}{'.' + short[1:] if len(short) > 1 else ''}e{top - 1}"


def form(text, kind):
    """The text with which a number of a type leaves."""
    if kind in RANGES:
        return str(whole(text))
    # The largest number that is rounded to zero: half of the least one, which is a tie to even.
    least = {"double": 1074, "float": 149}.get(kind)
    if least is None or not parts(text)[0]:
        return text
    n, e = parts(text)
    half = (5 ** (least + 1), -(least + 1))
    return text if compare((abs(n), e), half) > 0 else "-0.0" if text.startswith("-") else "0.0"


RANGES = {
    **{f"int{bits}": (-(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, (1 << bits) - 1) for bits in (8, 16, 32, 64)},
}
# Beyond these a number is rounded to infinity: half a unit above the largest one.
_FLOAT_END = (2 ** 24 - 1) * 2 ** 104 + 2 ** 103


@lru_cache(maxsize=50_000)
def fault(text, kind):
    """What is wrong with a number as one of a type: None or an error code."""
    if kind in RANGES:
        n, e = parts(text)
        if e < 0:
            return "invalidValue"
        value = whole(text)
        low, high = RANGES[kind]
        return None if value is not False and low <= value <= high else "numberOutOfRange"
    if kind == "double":
        return "numberOutOfRange" if float(text) in (float("inf"), float("-inf")) else None
    if kind == "float":
        n, e = parts(text)
        return "numberOutOfRange" if compare((abs(n), e), (_FLOAT_END, 0)) >= 0 else None
    if kind == "decimal":
        n, e = parts(text)
        digits = len(str(abs(n)))
        # Foundation's Decimal: an exponent of eight bits.
        return None if not n or digits <= 38 and -128 <= e <= 127 else "numberOutOfRange"
    return None
