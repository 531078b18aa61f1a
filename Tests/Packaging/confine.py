"""Runs a program as a container engine does with all that can be taken away taken away; it is process 1 then.

usage: unshare --mount --pid --fork --net --ipc --propagation private \\
         python3 confine.py ROOT FOLDER IN OUT UID:GID PROGRAM…

ROOT becomes the root, not to be written to, with /proc in it, and FOLDER the working folder; IN is mounted there as
`in`, not to be written to, and OUT as `out`. A root that has them gets an empty /tmp in memory and the machine's
/dev/null. No capabilities, no new privileges, no groups, no environment.
"""

import ctypes
import os
import subprocess
import sys

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def main(root, folder, inputs, outputs, user, *program):
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    mount("--bind", root, root)
    mount("--bind", inputs, f"{root}{folder}/in")
    mount("--bind", outputs, f"{root}{folder}/out")
    mount("-t", "proc", "-o", "nosuid,nodev,noexec", "proc", f"{root}/proc")
    if os.path.isdir(f"{root}/tmp"):
        mount("-t", "tmpfs", "-o", "nosuid,nodev,noexec", "none", f"{root}/tmp")
    if os.path.exists(f"{root}/dev/null"):
        mount("--bind", "/dev/null", f"{root}/dev/null")
    for path in (root, f"{root}{folder}/in"):
        mount("-o", "remount,bind,ro,nosuid,nodev", path)
    with open("/proc/sys/kernel/cap_last_cap") as file:
        last_capability = int(file.read())
    os.chroot(root)
    os.chdir(folder)
    for capability in range(last_capability + 1):
        assert prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0
    uid, gid = (int(number) for number in user.split(":"))
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    # From root to somebody else: permitted, effective and ambient capabilities go with it.
    os.setresuid(uid, uid, uid)
    assert prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    os.execve(program[0], program, {})


main(*sys.argv[1:])
