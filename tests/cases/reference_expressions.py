"""What expressions of case.json come to for one row: nested lists with the operator first, over names of columns, numbers
and {"text": ...}. None is null."""

import re


def and_of(left, right):
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def or_of(left, right):
    if left is True or right is True:
        return True
    return None if left is None or right is None else False


def remainder(left, right):
    if right == 0:
        return None
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def chosen(values):
    """case: conditions and values by turns, and what is left over."""
    for condition, value in zip(values[:-1:2], values[1:-1:2]):
        if condition is True:
            return value
    return values[-1]


def compared(text):
    """Text is ordered by its bytes."""
    return text.encode() if isinstance(text, str) else text


# Those that are null where one of their operands is.
STRICT = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "%": remainder,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: compared(a) < compared(b),
    "<=": lambda a, b: compared(a) <= compared(b),
    ">": lambda a, b: compared(a) > compared(b),
    ">=": lambda a, b: compared(a) >= compared(b),
    "not": lambda a: not a,
    "abs": abs,
    "length": len,
    "concat": lambda *parts: "".join(parts),
    "upper_ascii": lambda a: a.upper(),
    "lower_ascii": lambda a: a.lower(),
    "cast_text": str,
    "try_cast_int64": lambda a: int(a) if re.fullmatch(r"-?(0|[1-9][0-9]*)", a) else None,
    "split_part": lambda a, separator, part: dict(enumerate(a.split(separator), 1)).get(part, "") if part > 0
                  else dict(enumerate(reversed(a.split(separator)), 1)).get(-part, ""),
    "substring": lambda a, start, count: a[max(0, len(a) + start):max(0, len(a) + start + count)] if start < 0
                 else a[start - 1:start - 1 + count],
    "trim": lambda a: a.strip(" "),
    "like": lambda a, pattern: re.fullmatch(pattern.replace("%", ".*").replace("_", "."), a, re.DOTALL) is not None,
    "contains": lambda a, part: part in a,
    "starts_with": lambda a, part: a.startswith(part),
    "ends_with": lambda a, part: a.endswith(part),
    "matches_regex": lambda a, pattern: re.search(pattern, a) is not None,
    "extract_regex": lambda a, pattern, number: next((each.group(number) for each in re.finditer(pattern, a)), ""),
    "replace_regex": lambda a, pattern, by: re.sub(pattern, by, a),
    "in": lambda a, *others: a in others,
}

OTHERS = {
    "and": and_of,
    "or": or_of,
    "is_null": lambda a: a is None,
    "is_not_null": lambda a: a is not None,
    "coalesce": lambda a, b: b if a is None else a,
    "null_if": lambda a, b: None if a is not None and a == b else a,
    "otherwise": lambda *predicates: not any(each is True for each in predicates),
    "case": lambda *values: chosen(values),
    "greatest": lambda *values: max((each for each in values if each is not None), default=None),
    "least": lambda *values: min((each for each in values if each is not None), default=None),
}


def evaluate(expression, row):
    if isinstance(expression, str):
        return row.get(expression)
    if isinstance(expression, dict):
        return expression["text"]
    if not isinstance(expression, list):
        return expression
    function, operands = expression[0], [evaluate(each, row) for each in expression[1:]]
    if function == "between":
        low, high = (None if None in (operands[0], bound) else bound for bound in operands[1:])
        return and_of(None if low is None else compared(operands[0]) >= compared(low),
                      None if high is None else compared(operands[0]) <= compared(high))
    if function in OTHERS:
        return OTHERS[function](*operands)
    return None if any(each is None for each in operands) else STRICT[function](*operands)
