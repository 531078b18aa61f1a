"""Reads a Dockerfile and a .dockerignore: as much of both as this project's need, and errors for everything else."""

import fnmatch
import json
import os
import shlex
from pathlib import Path

KNOWN = {"RUN", "COPY", "WORKDIR", "USER", "LABEL", "STOPSIGNAL", "ENTRYPOINT", "CMD"}


class Stage:
    """FROM … AS …, and the instructions behind it as (name, rest) in their order."""

    def __init__(self, base, name, parent):
        self.base, self.name, self.parent, self.instructions = base, name, parent, []

    def last(self, name, default=None):
        """What the last instruction of a name says, of this stage or else of the one that it goes on from."""
        inherited = self.parent.last(name, default) if self.parent else default
        return next((rest for found, rest in reversed(self.instructions) if found == name), inherited)


def stages(path):
    """The stages of a Dockerfile by name, in their order."""
    lines = [line for line in Path(path).read_text().splitlines() if not line.lstrip().startswith("#")]
    found = {}
    for statement in "\n".join(lines).replace("\\\n", " ").splitlines():
        if not statement.strip():
            continue
        name, rest = statement.split(None, 1)
        if name == "FROM":
            base, word, alias = rest.split()
            assert word == "AS", statement
            stage = found[alias] = Stage(base, alias, found.get(base))
        else:
            assert name in KNOWN, f"this reader knows no {name}"
            stage.instructions.append((name, rest.strip()))
    return found


def words(rest):
    """The words of an ENTRYPOINT or CMD, which have to be a JSON array: there is no shell to split them."""
    return json.loads(rest)


def copy(rest):
    """COPY [--from=STAGE] SOURCE TARGET: the stage, or None for the context; source; target."""
    arguments = shlex.split(rest)
    stage = arguments.pop(0).removeprefix("--from=") if arguments[0].startswith("--from=") else None
    source, target = arguments
    return stage, source, target


def context(root):
    """The files that a build sees: those that .dockerignore leaves. The last line that fits a file decides."""
    lines = [line.strip() for line in (Path(root) / ".dockerignore").read_text().splitlines()]
    rules = [(line.lstrip("!"), line.startswith("!")) for line in lines if line and not line.startswith("#")]
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", ".build")]
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), root)
            taken = True
            for pattern, is_taken in rules:
                # A pattern that fits a folder fits everything in it.
                depth = pattern.count("/") + 1
                if fnmatch.fnmatch("/".join(path.split("/")[:depth]), pattern):
                    taken = is_taken
            if taken:
                yield path
