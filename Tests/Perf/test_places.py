#!/usr/bin/env python3
"""What the programs in perf leave behind, and what they refuse."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PERF = Path(__file__).resolve().parent.parent.parent / "perf"
PROGRAM = """
import sys, time
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import os
from pathlib import Path
from places import Place, workspace
with workspace("made", Path(sys.argv[2])) as folder:
    if os.geteuid() == 0:
        Place("tmpfs", folder, 1 << 20)
    print(folder, flush=True)
    time.sleep(60)
"""


class Workspace(unittest.TestCase):
    def end(self, number):
        """What is in the folder, and how the program ended."""
        with tempfile.TemporaryDirectory() as parent:
            script = Path(parent) / "script"
            script.write_text(PROGRAM)
            folder = Path(parent) / "it's \"work\""
            folder.mkdir()
            with subprocess.Popen([sys.executable, script, PERF, folder], stdout=subprocess.PIPE, text=True) as process:
                made = process.stdout.readline().strip()
                self.assertTrue(os.path.isdir(made), made)
                self.assertNotIn(made, Path("/proc/self/mounts").read_text(), "others see the mount")
                process.send_signal(number)
            return list(folder.iterdir()), process.returncode

    def test_a_signal_takes_the_folder_along(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.assertEqual(self.end(number), ([], 128 + number))

    def test_a_kill_leaves_no_mount(self):
        left, _ = self.end(signal.SIGKILL)
        self.assertEqual(len(left), 1)


class Arguments(unittest.TestCase):
    def refuse(self, program, *words):
        result = subprocess.run([PERF / program, *words], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_what_cannot_work_is_refused_at_once(self):
        for words in (["--rounds", "0"], ["--file-systems", "zfs"], ["--kerfless", "/nonexistent"]):
            self.refuse("peers", "--out", "/nonexistent/out", *words)
            self.refuse("copy-methods", "--out", "/nonexistent/out", *words)
        self.refuse("peers", "--hours", "0.001", "--out", "/nonexistent/out", "--kerfless", "/bin/true")
        for words in (["--jobs", "0"], ["--lanes", "1,x"], ["--from", "tape"], ["--out", "/nonexistent/out"]):
            self.refuse("million", "--kerfless", "/bin/true", "--out", "/dev/null", *words)
        self.refuse("profile", "trim", "--kerfless", "/etc/passwd", "--out", "/nonexistent/out")
        self.refuse("copy-choices", "--sizes", "3", "--out", "/dev/null")


if __name__ == "__main__":
    unittest.main()
