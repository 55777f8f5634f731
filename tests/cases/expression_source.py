"""Expressions of case.json as C++, with the types that they have."""

import re

OPERATORS = {"+": "+", "-": "-", "*": "*", "%": "%", "==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
             "and": "&&", "or": "||"}
FUNCTIONS = {"is_null", "is_not_null", "coalesce", "null_if", "otherwise", "greatest", "least", "abs", "length", "concat",
             "upper_ascii", "in", "between", "lower_ascii", "split_part", "substring", "trim", "like", "contains",
             "starts_with", "ends_with", "matches_regex", "extract_regex", "replace_regex"}
CASTS = {"cast_text": "cast<text>", "try_cast_int64": "try_cast<std::int64_t>"}
PREDICATES = {"==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "is_null", "is_not_null", "otherwise", "in", "between",
              "like", "contains", "starts_with", "ends_with", "matches_regex"}


class UnknownExpression(Exception):
    pass


def text_literal(value):
    if not isinstance(value, str) or not re.fullmatch(r"[ -~]*", value):
        raise UnknownExpression(f"there is no literal {value!r}")
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def expression_source(expression):
    if isinstance(expression, str):
        side, found, name = expression.rpartition(".")
        if not re.fullmatch(r"\w+", name) or side not in ("", "left", "right"):
            raise UnknownExpression(f"there is no column {expression!r}")
        return f'{side if found else "field"}<"{name}">'
    if isinstance(expression, dict):
        return text_literal(expression.get("text"))
    if isinstance(expression, int) and not isinstance(expression, bool):
        return str(expression)
    if not isinstance(expression, list) or not expression:
        raise UnknownExpression(f"there is no expression {expression!r}")
    function, values = expression[0], [expression_source(each) for each in expression[1:]]
    if function in OPERATORS and len(values) == 2:
        return f"({values[0]} {OPERATORS[function]} {values[1]})"
    if function == "not" and len(values) == 1:
        return f"(!{values[0]})"
    if function == "case" and len(values) % 2 == 1:
        pairs = [f"{values[i]}, {values[i + 1]}" for i in range(0, len(values) - 1, 2)]
        return f"case_when({').when('.join(pairs)}).otherwise({values[-1]})"
    if function in CASTS and len(values) == 1:
        return f"{CASTS[function]}({values[0]})"
    if function in FUNCTIONS:
        return f"{function}({', '.join(values)})"
    raise UnknownExpression(f"there is no function {function!r}")


def type_of_expression(expression, type_of_column):
    """The C++ type, by the operator that comes last."""
    if isinstance(expression, str):
        return type_of_column(expression)
    if isinstance(expression, dict):
        return "text"
    if not isinstance(expression, list):
        return "std::int64_t"
    function = expression[0]
    if function in PREDICATES:
        return "bool"
    if function == "length":
        return "std::int32_t"
    if function in ("concat", "upper_ascii", "lower_ascii", "cast_text", "split_part", "substring", "trim", "extract_regex",
                    "replace_regex"):
        return "text"
    if function in ("+", "try_cast_int64", "-", "*", "%", "abs"):
        return "std::int64_t"
    return type_of_expression(expression[2 if function == "case" else 1], type_of_column)
