"""How a node of an emulation loads the files of a target, by the program that reads them, and how
it takes them back.

Each exporter has the script that loads its files. All that a target changes is taken back in the
same way: the state of the node before is kept beside its files (kept_state.sh), so that nothing is
lost that was there. Only nodes of an emulation load files: scripts mount over /run of the node.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from linkwright.errors import CapabilityError, RunError, shown
from linkwright.machines import Machine, Namespace

__all__ = ["LOAD_SYSTEM", "TOP", "Loaded", "Loading", "Program", "load"]

TOP = """
PATH=$PATH:/usr/sbin:/sbin
folder=$1
"""
"""First lines of all scripts; their argument is the folder with the files of the target."""
LOAD_SYSTEM = """
if [ -e "$folder/etc/sysctl.d" ]; then
    /lib/systemd/systemd-sysctl "$folder"/etc/sysctl.d/*
fi
if [ -e "$folder/etc/systemd/system" ]; then
    sed -n 's/^ExecStart=//p' "$folder"/etc/systemd/system/*.service | sh -eu
fi
"""
"""Part of the scripts of several targets: parameters of the kernel, and services."""
STOP = """
if [ -e "$folder/pids" ]; then
    kill $(cat "$folder/pids") 2> /dev/null || true
    for pid in $(cat "$folder/pids"); do
        for _ in $(seq 100); do
            kill -0 "$pid" 2> /dev/null || break
            sleep 0.1
        done
        kill -9 "$pid" 2> /dev/null || true
    done
    rm "$folder/pids"
fi
if [ -e "$folder/etc/systemd/system" ]; then
    sed -n 's/^ExecStop=//p' "$folder"/etc/systemd/system/*.service | sh -eu
fi
"""
"""Ends the programs that a script has noted in the file `pids`, and services."""
KEPT_STATE = Path(__file__).with_name("kept_state.sh")


@dataclass(frozen=True)
class Program:
    """A program, and the package of Debian that has it."""

    place: str
    package: str


def _as_it_is(name: str, text: str) -> str:
    del name
    return text


@dataclass(frozen=True, kw_only=True)
class Loading:
    """How a node loads the files of a target.

    Attributes
    ----------
    script : str
        Script that loads them; `$folder` has them. A program that stays is its last command, and
        the file `pids` in the folder names the programs to end.
    programs : tuple of Program
        Programs that it needs.
    stays : bool
        Whether the last command of the script stays.
    undo : str
        Script that takes them back after its programs have ended. Default: the state before the
        files comes back.
    adapted : callable
        Returns the text of a file, given its name and text, for interfaces that are TAPs.
    """

    script: str
    programs: tuple[Program, ...] = ()
    stays: bool = False
    undo: str = ""
    adapted: Callable[[str, str], str] = _as_it_is


@dataclass(frozen=True)
class Loaded:
    """Files that a node has loaded.

    Attributes
    ----------
    loading : Loading
    machine : Machine
    folder : PurePosixPath
        Folder of the node with the files.
    process : subprocess.Popen or None
        The program that stays.
    """

    loading: Loading
    machine: Machine
    folder: PurePosixPath
    process: subprocess.Popen[Any] | None

    def undo(self) -> str:
        """Take all of it back, and return the steps that could not be taken back, as text.

        Raises
        ------
        RunError
            If a script fails.
        """
        said = _run(self.machine, STOP, self.folder)
        if self.process is not None:
            self.process.wait()
        script = self.loading.undo or _kept_state("take_back")
        return said + _run(self.machine, script, self.folder)


def load(loading: Loading, machine: Machine, folder: PurePosixPath) -> Loaded:
    """Load the files of a target, which a folder of the machine has.

    A program that stays may still be at work when this returns.

    Parameters
    ----------
    loading : Loading
        How the target's files are loaded.
    machine : Machine
        A node of an emulation.
    folder : PurePosixPath
        Folder of the machine with the files; state is kept in it.

    Raises
    ------
    CapabilityError
        If the machine is no node of an emulation, or lacks a program.
    RunError
        If the files cannot be loaded.
    """
    if not isinstance(machine, Namespace):
        raise CapabilityError(
            f"{machine.name} is no node of an emulation: files are not loaded there",
            "load them by hand: the page on exporters has the command of each manager",
        )
    for program in loading.programs:
        if machine.run(["test", "-x", program.place]).code:
            raise CapabilityError(f"{program.place} is missing", f"apt install {program.package}")
    if not loading.undo:
        _run(machine, _kept_state("keep"), folder)
    if not loading.stays:
        _run(machine, loading.script, folder)
        return Loaded(loading, machine, folder, None)
    words = _words(loading.script, folder)
    return Loaded(loading, machine, folder, machine.start(words, stdin=subprocess.DEVNULL))


def _kept_state(step: str) -> str:
    """Return a script with the functions on the state of a node, which calls one of them."""
    return f"{KEPT_STATE.read_text(encoding='utf-8')}\n{step}\n"


def _words(script: str, folder: PurePosixPath) -> list[str]:
    return ["sh", "-euc", f"{TOP}{script}", "load", str(folder)]


def _run(machine: Machine, script: str, folder: PurePosixPath) -> str:
    """Run a script and return all that it says."""
    answer = machine.run(_words(script, folder))
    said = answer.output + answer.errors
    if answer.code:
        raise RunError(f"{machine.name}: {said.strip()}", f"see the files in {shown(str(folder))}")
    return said
