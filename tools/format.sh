#!/usr/bin/env bash
# Formats C++ files in place; with --check it only tells which differ and exits 1. Examples, and what docs/errors.md
# shows, are laid out by hand, so that pipelines read as such.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
  '' | --check) ;;
  *)
    echo "usage: tools/format.sh [--check]"
    [ "$1" = --help ] || exit 2
    exit 0
    ;;
esac

formatter=$(command -v clang-format-19) || { echo "format: apt-get install clang-format-19" >&2; exit 1; }
mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
find include tests bench cmake -path tests/compile_fail -prune -o -name '*.[ch]pp' -print0 2>/dev/null | xargs -0 -r "$formatter" "${mode[@]}"
