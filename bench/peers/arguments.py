"""The options of the peers, as the C++ programs have them."""

import argparse


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--query", required=True)
    parser.add_argument("--input", help="a file of lines; rows come from the formula without it")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--customers", type=int, default=10_000)
    parser.add_argument("--hours", type=int, default=1)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()
