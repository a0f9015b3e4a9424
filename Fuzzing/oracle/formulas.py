"""Formulas (`calc`): read into a tree, and calculated over exact decimals of at most 38 digits."""
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal

import exact
from jsontext import Number, Object
from paths import step_text, steps

DIGITS = 38
_context = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emin=-10_000, Emax=10_000)
_token = re.compile(
    r"""\s*(?:(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\$(?P<argument>[A-Za-z_]\w*)
    |(?P<path>(?:\$|\[(?:'(?:[^'\\]|\\.)*'|\d+)\]|[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*)
       (?:\.[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*|\[\d+\]|\['(?:[^'\\]|\\.)*'\])*)
    |(?P<sign>\?\?|[=!<>]=|[-+*/%<>(),]))""", re.ASCII | re.VERBOSE)
_levels = [["or"], ["and"], None, ["==", "!=", "<=", ">=", "<", ">"], ["+", "-"], ["*", "/", "%"], "sign", ["??"]]
_functions = ("round", "floor", "abs", "min", "max", "length", "number")


# What values from outside the records are called; no argument is.
CONTEXT_NAMES = ("period", "lang", "nr")


class Fault(Exception):
    """Why a formula has no value: a code, and the steps to the operand that is to blame, if one is."""

    def __init__(self, code, place=None):
        super().__init__(code)
        self.code = code
        self.place = place


class Found:
    """A value, with the place in the source that it is at, if it is at one. A calculated number is a pair of parts.

    What is absent or null has the value None.
    """

    __slots__ = ("value", "place", "is_absent", "is_lacking")

    def __init__(self, value, place=None, is_absent=False, is_lacking=False):
        self.value = value
        self.place = place
        self.is_absent = is_absent
        # Whether it stands for an operation that has no value, because this operand is missing.
        self.is_lacking = is_lacking

    def fault(self):
        return Fault("missing" if self.value is None else "wrongType", self.place)

    def number(self):
        value = self.value
        if type(value) is tuple:
            return value
        if type(value) is not Number:
            raise self.fault()
        if exact.fault(value, "decimal"):
            raise Fault("numberOutOfRange")
        return exact.parts(value)

    def bool(self):
        if type(self.value) is not bool:
            raise self.fault()
        return self.value

    def comparable(self, takes_bools):
        """Throws where it is nothing that can be compared."""
        if type(self.value) is not str and not (takes_bools and type(self.value) is bool):
            if type(self.value) in (Number, tuple):
                return self.number()
            raise self.fault()

    def order(self, other, takes_bools):
        a, b = self.value, other.value
        self.comparable(takes_bools)
        if type(a) is str and type(b) is str:
            return (a > b) - (a < b)
        if type(a) in (Number, tuple) and type(b) in (Number, tuple):
            return exact.compare(self.number(), other.number())
        if takes_bools and type(a) is bool and type(b) is bool:
            return int(a != b)
        # If two kinds differ, the value of the record is at fault, rather than what the formula says or calculates.
        is_left = self.place is not None and other.place is None
        raise (self if is_left else other).fault()


def operands(parts, source, check=Found.number):
    """What the parts of an operation are, and the one that is missing, if one is and the others suit."""
    found = [part(source) for part in parts]
    missing = next((each for each in found if each.value is None), None)
    if missing:
        for each in found:
            if each.value is not None:
                check(each)
        missing = Found(None, missing.place, missing.is_absent, True)
    return found, missing


def operation_of(parts, make, check=Found.number):
    """An operation, which has no value where an operand is missing; but what is wrong with another one comes first."""
    def made(source):
        found, missing = operands(parts, source, check)
        return missing or make(*found)
    return made


def fitting(n, e):
    """A calculated number, without zeros at its end."""
    if not n:
        return 0, 0
    while n % 10 == 0:
        n, e = n // 10, e + 1
    if len(str(abs(n))) > DIGITS or not -128 <= e <= 127:
        raise Fault("numberOutOfRange")
    return n, e


def _add(a, b):
    low = min(a[1], b[1])
    return fitting(a[0] * 10 ** (a[1] - low) + b[0] * 10 ** (b[1] - low), low)


def _divide(a, b):
    if not b[0]:
        raise Fault("invalidValue")
    quotient = _context.divide(Decimal(a[0]).scaleb(a[1], _context), Decimal(b[0]).scaleb(b[1], _context))
    sign, digits, e = quotient.as_tuple()
    return fitting(int("".join(map(str, digits))) * (-1 if sign else 1), e)


def _remainder(a, b):
    if not b[0]:
        raise Fault("invalidValue")
    low = min(a[1], b[1])
    left, right = abs(a[0]) * 10 ** (a[1] - low), abs(b[0]) * 10 ** (b[1] - low)
    return fitting(left % right * (-1 if a[0] < 0 else 1), low)


def rounded(number, places):
    """With at most so many digits after the point; halves away from zero."""
    n, e = number
    if e >= -places:
        return number
    unit = 10 ** (-places - e)
    return fitting((2 * abs(n) + unit) // (2 * unit) * (-1 if n < 0 else 1), -places)


def _floor(number):
    n, e = number
    return number if e >= 0 else fitting(n // 10 ** -e, 0)


def text(number):
    """How a calculated number is written."""
    n, e = number
    digits, sign = str(abs(n)), "-" if n < 0 else ""
    if e >= 0 and len(digits) + e <= DIGITS:
        return sign + digits + "0" * e
    # The power of ten of the first digit.
    top = len(digits) + e - 1
    if e < 0 and top >= -7:
        if top >= 0:
            return f"{sign}{digits[:e]}.{digits[e:]}"
        return f"{sign}0.{'0' * (-top - 1)}{digits}"
    return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{top}"


class Parser:
    def __init__(self, formula, arguments, facts=None):
        self.tokens = []
        self.arguments = arguments
        self.facts = facts
        index = 0
        while formula[index:].strip():
            match = _token.match(formula, index)
            if not match:
                raise ValueError(f"no formula: {formula[index:]}")
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            index = match.end()
        self.index = 0

    @property
    def next(self):
        return self.tokens[self.index][1] if self.index < len(self.tokens) else None

    def take(self, *texts):
        if self.next in texts and self.tokens[self.index][0] != "string":
            self.index += 1
            return self.tokens[self.index - 1][1]
        return None

    def level(self, number=0):
        """A tree of operations as closely bound as a level, or closer."""
        if number == len(_levels):
            return self.operand()
        signs = _levels[number]
        if signs is None:
            if self.take("not"):
                return operation_of([self.level(number)], lambda found: Found(not found.bool()), Found.bool)
            return self.level(number + 1)
        if signs == "sign":
            return self.signed() if self.next == "-" else self.level(number + 1)
        left = self.level(number + 1)
        while sign := self.take(*signs):
            # The sign is looser than ??, and may stand after it all the same.
            left = operation(sign, left, self.signed() if sign == "??" and self.next == "-" else self.level(number + 1))
        return left

    def signed(self):
        self.take("-")
        return operation_of(
            [self.level(_levels.index("sign"))], lambda found: Found((-(n := found.number())[0], n[1])))

    def operand(self):
        if self.take("("):
            inner = self.level()
            self.take(")")
            return inner
        kind, token = self.tokens[self.index]
        self.index += 1
        if kind == "sign":
            raise ValueError(f"no value: {token}")
        if kind == "number":
            return constant(Number(token))
        if kind == "string":
            return constant(token[1:-1])
        if kind == "argument":
            return constant(self.arguments[token]) if token in self.arguments else self.outside(token)
        if token in ("true", "false", "null"):
            return constant({"true": True, "false": False, "null": None}[token])
        if token in _functions and self.take("("):
            return self.call(token)
        return at(steps(token))

    def outside(self, name):
        """A value from outside the record, as it is when the formula is asked."""
        facts = self.facts
        return lambda source: Found(facts[name])

    def call(self, name):
        parts = [self.level()]
        places = 0
        while self.take(","):
            if name == "round":
                places = int(("-" if self.take("-") else "") + self.next)
                self.index += 1
            else:
                parts.append(self.level())
        self.take(")")
        if name == "length":
            return operation_of(parts, length, length)
        if name == "number":
            return operation_of(parts, said_number, said_number)
        if name in ("min", "max"):
            def extreme(*found):
                best = None
                for value in [each.number() for each in found]:
                    order = 0 if best is None else exact.compare(value, best)
                    if best is None or order == (-1 if name == "min" else 1):
                        best = value
                return Found(best)
            return operation_of(parts, extreme)
        change = {"round": lambda n: rounded(n, places), "floor": _floor, "abs": lambda n: (abs(n[0]), n[1])}[name]
        return operation_of(parts, lambda found: Found(change(found.number())))


_NOWHERE = object()


def constant(value):
    found = Found(value)
    found_function = lambda source: found
    found_function.is_null = value is None
    return found_function


def at(path):
    place = "".join(step_text(step) for step in path)

    def operand(source):
        value, pick = source
        for step in path:
            if type(step) is str and type(value) is Object:
                value = getattr(value, pick).get(step, _NOWHERE)
            elif type(step) is int and type(value) is list:
                value = value[step] if step < len(value) else _NOWHERE
            else:
                # What is no object has null inside.
                return Found(None, place, value is _NOWHERE)
        return Found(None if value is _NOWHERE else value, place, value is _NOWHERE)
    return operand


def said_number(found):
    """The number that a text says."""
    if type(found.value) is not str:
        return Found(found.number())
    if not exact.is_number(found.value):
        raise found.fault()
    return Found(Found(Number(found.value)).number())


def length(found):
    value = found.value
    if type(value) in (str, list):
        return Found((fitting(len(value), 0)))
    if type(value) is Object:
        # Members with equal keys count as one.
        return Found(fitting(len(value.last), 0))
    raise found.fault()


def operation(sign, left, right):
    if sign in ("and", "or"):
        def decided(source):
            # It is the side that decides; one that is missing decides, too.
            for side in (left, right):
                (found,), missing = operands([side], source, Found.bool)
                if missing or found.bool() != (sign == "and"):
                    return missing or found
            return found
        return decided
    if sign == "??":
        return lambda source: found if (found := left(source)).value is not None else right(source)
    if sign in ("==", "!="):
        if getattr(left, "is_null", False) or getattr(right, "is_null", False):
            def both_missing(source):
                found = [left(source), right(source)]
                return Found(all(each.value is None for each in found) == (sign == "=="))
            return both_missing
        return operation_of([left, right], lambda a, b: Found((a.order(b, True) == 0) == (sign == "==")),
                            lambda found: found.comparable(True))
    if sign in ("<", "<=", ">", ">="):
        test = {"<": lambda a: a < 0, "<=": lambda a: a <= 0, ">": lambda a: a > 0, ">=": lambda a: a >= 0}[sign]
        return operation_of([left, right], lambda a, b: Found(test(a.order(b, False))),
                            lambda found: found.comparable(False))
    calculate = {
        "+": _add, "-": lambda a, b: _add(a, (-b[0], b[1])), "*": lambda a, b: fitting(a[0] * b[0], a[1] + b[1]),
        "/": _divide, "%": _remainder,
    }[sign]
    return operation_of([left, right], lambda a, b: Found(calculate(a.number(), b.number())))


def formula(text, setting):
    """A function of a value and which of its members count, giving what was found; it throws Fault."""
    made = Parser(str(text), setting.arguments, setting.facts).level()

    def value(source):
        found = made(source)
        if found.is_lacking:
            raise found.fault()
        return found
    return value


def paths(text):
    """The paths that a formula reads, as steps."""
    parser = Parser(str(text), {})
    return [steps(token) for i, (kind, token) in enumerate(parser.tokens)
            if kind == "path" and token not in ("true", "false", "null", "and", "or", "not")
            and not (token in _functions and parser.tokens[i + 1:i + 2] == [("sign", "(")])]


def looks_outside(text):
    """Whether a formula reads values from outside the record; arguments are drawn with other names."""
    return any(kind == "argument" and token in CONTEXT_NAMES for kind, token in Parser(str(text), {}).tokens)
