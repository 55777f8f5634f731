"""What a measurement was taken on."""

import os
import pathlib
import platform
import re
import subprocess


def cpu_name():
    found = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found.group(1) if found else platform.processor()


def last_level_cache():
    """In bytes; 32 MiB where the system does not tell."""
    sizes = []
    for path in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        found = re.fullmatch(r"(\d+)([KMG])\s*", path.read_text())
        if found:
            sizes.append(int(found.group(1)) << {"K": 10, "M": 20, "G": 30}[found.group(2)])
    return max(sizes, default=32 << 20)


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""


def describe(processor_time):
    return {
        "name": platform.node(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "last_level_cache": last_level_cache(),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": first_line("g++", "--version"),
        "load": os.getloadavg()[0],
        "clock": "processor" if processor_time else "elapsed",
    }
