"""Builds our programs and sets up other engines under build/. Each engine is set up once for a list of versions."""

import os
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
peers = root / "bench" / "peers"

PRESET = "gcc-release"
SETUP = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "etlantic/python/bin/python"
ON_REQUEST = ("pyspark", "flink")

# Flink's serialisers look into classes of the platform.
JAVA = ["java", "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"]


def command(*words):
    subprocess.run([str(word) for word in words], cwd=root, check=True, stdout=sys.stderr)


def build():
    command("cmake", "--preset", PRESET, "-DETLANTIC_BENCHMARKS=ON")
    command("cmake", "--build", f"build/{PRESET}", "--target", "benchmarks")
    return root / "build" / PRESET / "bench"


def is_done(folder, wanted):
    noted = folder / "installed.txt"
    return noted.exists() and noted.read_text() == wanted


def environment(name):
    """A virtual environment with bench/peers/<name>.txt; gives its interpreter."""
    folder = root / "build" / f"bench-{name}"
    requirements = peers / f"{name}.txt"
    wanted = requirements.read_text()
    if not is_done(folder, wanted):
        command(sys.executable, "-m", "venv", folder)
        command(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "-r", requirements)
        (folder / "installed.txt").write_text(wanted)
    return str(folder / "bin" / "python")


def flink():
    folder = root / "build" / "bench-flink"
    pom, source = peers / "flink" / "pom.xml", peers / "flink" / "FlinkPeer.java"
    wanted = pom.read_text() + source.read_text()
    if not is_done(folder, wanted):
        command("mvn", "--quiet", "--batch-mode", "-f", pom, "dependency:copy-dependencies",
                "-DincludeScope=runtime", f"-DoutputDirectory={folder / 'jars'}")
        command("javac", "-cp", f"{folder / 'jars'}/*", "-d", folder / "classes", source)
        (folder / "installed.txt").write_text(wanted)
    return [*JAVA, "-cp", f"{folder / 'classes'}:{folder / 'jars'}/*", "FlinkPeer"]


def engines(with_pypi, on_request):
    """How to start each engine: name -> command."""
    made = {}
    if not with_pypi and SETUP.exists():  # tools/setup has installed delta-rs and DuckDB
        made["deltalake"] = [str(SETUP), str(peers / "delta_rs_peer.py")]
    if with_pypi:
        python = environment("pypi")
        made["duckdb"] = [python, str(peers / "duckdb_peer.py")]
        made["polars"] = [python, str(peers / "polars_peer.py")]
        made["deltalake"] = [python, str(peers / "delta_rs_peer.py")]
    if "pyspark" in on_request:
        made["pyspark"] = [environment("pyspark"), str(peers / "pyspark_peer.py")]
    if "flink" in on_request:
        made["flink"] = flink()
    return made
