"""The rights of a login that is not root's: sudo, for one program that root has put on the machine.

Without that program, sudo starts Python with all rights of root.
"""

from __future__ import annotations

import re

from linkwright.apply.present import INSTALLED
from linkwright.apply.program import program
from linkwright.errors import UsageError, shown

__all__ = ["AS_ROOT", "installation"]

BY_SUDO = f"""
[ "$(id -u)" != 0 ] || exec "$@"
[ ! -x {INSTALLED} ] || exec sudo -n {INSTALLED} "$SSH_CONNECTION"
exec sudo -n "$@" "$SSH_CONNECTION"
"""
AS_ROOT = ("sh", "-c", BY_SUDO, "sh")
"""Program that starts another one with root's rights; sudo hides the connection from it."""
USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")
END = "END_OF_KEEPER"
INSTALL = """#!/bin/sh
# Run it as root, once on each machine: it installs the program that puts plans there, and lets
# {user} run that program by sudo, and no other one. To take it back:
# rm {place} /etc/sudoers.d/linkwright
set -eu
umask 022
cat > {place}.part << '{end}'
#!/usr/bin/python3 -I
{program}{end}
chmod 755 {place}.part
mv -f {place}.part {place}
line='{user} ALL=(root) NOPASSWD: {place}'
(umask 227; echo "$line" > /etc/sudoers.d/.linkwright)
visudo -cqf /etc/sudoers.d/.linkwright
mv -f /etc/sudoers.d/.linkwright /etc/sudoers.d/linkwright
"""


def installation(user: str) -> str:
    """Return the script of the shell by which root gives a login the rights for `--sudo`.

    Raises
    ------
    UsageError
        If the login has no plain name.
    """
    if not USER.fullmatch(user):
        raise UsageError(f"{shown(user)} is no name of a login", "give one such as deploy")
    return INSTALL.format(user=user, place=INSTALLED, program=program(), end=END)
