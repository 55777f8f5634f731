#!/usr/bin/env python3
"""generate_pipelines.py [--by-family] CASES FOLDER: writes programs for the pipeline cases of a folder of cases.

FOLDER gets one .cpp for each different program, sources.txt with their names, and pipelines.json, which says for each
case which program runs it with which durations, or why there is none. Cases that name a `program` share one, and with
--by-family those whose names begin alike: that compiles sooner, but one that does not compile takes the others with it."""

import argparse
import json
import pathlib

from pipeline_source import NotExpressible, SharedProgram, translate


def write_if_changed(path, text):
    """Keeps the time of a file that would stay the same, so that it is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def entry_of(case, programs):
    try:
        if "program" in case:
            program = f"cases_of_{case['program']}"
            pipeline, durations = programs.setdefault(program, SharedProgram()).add(case)
            return {"program": program, "pipeline": pipeline, "durations": durations}
        text, program, durations = translate(case)
    except NotExpressible as reason:
        return {"error": str(reason)}
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as problem:
        return {"error": f"case.json is not understood: {type(problem).__name__} {problem}"}
    programs[program] = text
    return {"program": program, "durations": durations}


def changes_at_restart(case):
    return bool(case.get("columns_added_after_restart") or case.get("input_order_after_restart"))


def entries_of(cases, by_family=False):
    """What is said of each pipeline case of a folder, and the texts of the programs (or what has them), by name."""
    entries, programs = {}, {}
    for path in sorted(cases.glob("*/case.json")):
        try:
            case = json.loads(path.read_text())
        except ValueError as problem:
            entries[path.parent.name] = {"error": f"case.json is not JSON: {problem}"}
            continue
        if "steps" in case:
            if by_family and not changes_at_restart(case):
                case.setdefault("program", path.parent.name.split("-")[0].lower())
            entries[path.parent.name] = entry_of(case, programs)
        elif "contract" not in case:
            entries[path.parent.name] = {"error": "case.json has neither steps nor a contract"}
    return entries, programs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by-family", action="store_true")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    folder = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    entries, programs = entries_of(given.cases, given.by_family)
    for old in folder.glob("case*_*.cpp"):
        if old.stem not in programs:
            old.unlink()
    for program, text in programs.items():
        write_if_changed(folder / f"{program}.cpp", text.text() if isinstance(text, SharedProgram) else text)
    write_if_changed(folder / "sources.txt", "".join(f"{program}\n" for program in sorted(programs)))
    write_if_changed(folder / "pipelines.json", json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
