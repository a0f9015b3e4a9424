#!/usr/bin/env python3
"""Pictures in documents show what the documents say: figures those of the README's tables, the map the rooms of ARCHITECTURE.md."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish  # noqa: E402

PROGRAMS = ["Benchmarks/pictures.py", "Site/house.py"]
problems = []
for program in PROGRAMS:
    answer = subprocess.run([sys.executable, ROOT / program, "--check"], capture_output=True, text=True)
    problems += answer.stderr.splitlines() or ([f"{program} --check ends with {answer.returncode}"] if answer.returncode else [])

finish("pictures", f"{len(PROGRAMS)} programs", problems)
