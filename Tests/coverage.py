#!/usr/bin/env python3
"""Line coverage of modules, from what `swift test --enable-code-coverage` has llvm-cov export.

usage: coverage.py JSON PERCENT MODULE...     fails where a module of Sources has less
"""

import json
import sys
from pathlib import Path


def main(path, least, *modules):
    files = json.loads(Path(path).read_text())["data"][0]["files"]
    status = 0
    for module in modules:
        lines = {Path(file["filename"]).name: file["summary"]["lines"] for file in files
                 if f"/Sources/{module}/" in file["filename"]}
        covered, count = (sum(line[key] for line in lines.values()) for key in ("covered", "count"))
        percent = 100 * covered / count if count else 0
        print(f"{module}: {percent:.2f} % of {count} lines")
        for name, line in sorted(lines.items()):
            if line["covered"] < line["count"]:
                print(f"  {name}: {line['count'] - line['covered']} of {line['count']} lines not covered")
        if percent < float(least):
            print(f"{module}: less than {least} %", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
