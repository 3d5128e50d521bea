"""Facts that a script writes on a machine as a tar archive, and hostile archives.

The script runs on this machine, by every POSIX shell that is here.
"""

from __future__ import annotations

import io
import random
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.facts import ClusterFacts
from linkwright.facts.carried import read_archive
from linkwright.facts.gathering import QUESTIONS
from linkwright.facts.script import FORM, place_of, script_text

IP_LINK = '[{"ifname":"eth0","flags":["UP","LOWER_UP"],"mtu":9000,"link_type":"ether"}]'
SHELLS = [
    words for words in (["dash"], ["bash", "--posix"], ["busybox", "sh"]) if shutil.which(words[0])
]


def archive(path: Path, *entries: tuple[str, bytes | str], kind: bytes = tarfile.REGTYPE) -> Path:
    """Write an archive; a text as content is the target of a link."""
    with tarfile.open(path, "w") as file:
        for name, content in (("./form", f"{FORM}\n".encode()), *entries):
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = kind, content
                file.addfile(info)
            else:
                info.size = len(content)
                file.addfile(info, io.BytesIO(content))
    return path


def test_every_question_has_a_place_of_its_own_and_the_script_is_read_by_sh() -> None:
    places = [place_of(key) for key in QUESTIONS]
    assert len(set(places)) == len(places)
    assert not {"form", "uid"} & set(places)
    text = script_text()
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)
    assert text.isascii()


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: words[0])
def test_the_script_says_the_same_as_the_command(
    shell: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NCCL_SOCKET_IFNAME", "eth0")
    (tmp_path / ".bashrc").write_text("export UCX_TLS=tcp\nexport TOKEN=secret\n")
    (tmp_path / "hostfile").write_text("n0 slots=2\n")
    assert run(["facts", "--script", "-o", "facts.sh"]) == 0
    with Path("box.tar").open("wb") as file:
        subprocess.run([*shell, "facts.sh"], stdout=file, check=True)
    assert run(["facts", "box.tar", "-o", "facts.json", "-q"]) == 0
    (found,) = ClusterFacts.load("facts.json").machines
    assert found.name == "box"
    uname = subprocess.run(["uname", "-n"], capture_output=True, text=True, check=True).stdout
    assert found.hostname == uname.strip()
    assert "lo" in {one.name for one in found.interfaces}
    assert found.sysctls["net.ipv4.conf.lo.rp_filter"].isdigit()
    assert any(one.table == "local" for one in found.routes)
    assert found.settings.environment["NCCL_SOCKET_IFNAME"] == "eth0"
    assert found.settings.files[str(tmp_path / ".bashrc")] == "export UCX_TLS=tcp"
    assert found.settings.files[str(tmp_path / "hostfile")] == "n0 slots=2"
    assert not [one for one in found.missing if "understood" in one.reason]


def test_links_devices_and_paths_elsewhere_are_left_out(tmp_path: Path) -> None:
    place = place_of("interfaces/ip link")
    path = archive(
        tmp_path / "n0.tar",
        (f"{place}/code", b"0\n"),
        (f"{place}/output", IP_LINK.encode()),
        (f"{place_of('settings/~/hostfile')}/srv/me/hostfile", b"n0\n"),
        (f"{place_of('settings/~/hostfile')}/etc/shadow", b"root\n"),
        ("../../etc/passwd", b"root"),
        ("uid", "/etc/passwd"),
        kind=tarfile.SYMTYPE,
    )
    found = read_archive("n0", path)
    (link,) = found.interfaces
    assert (link.name, link.mtu, link.carrier) == ("eth0", 9000, True)
    assert found.settings.files == {"/srv/me/hostfile": "n0"}
    assert any(one.needs and one.needs.startswith("root") for one in found.missing)
    assert [one.name for one in tmp_path.iterdir()] == ["n0.tar"]


WRONG: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("facts"),
    "zeros": lambda path: path.write_bytes(bytes(10240)),
    "compressed": lambda path: path.write_bytes(b"\x1f\x8b\x08" + bytes(100)),
    "another": lambda path: tarfile.open(path, "w").close(),
    "many": lambda path: archive(path, *((f"a/{i}", b"") for i in range(101)), ("a/" * 99, b"")),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_files_are_errors(name: str, tmp_path: Path) -> None:
    WRONG[name](tmp_path / "n0.tar")
    with pytest.raises(UsageError, match="archive") as wrong:
        read_archive("n0", tmp_path / "n0.tar")
    assert "--script" in wrong.value.hint


def test_damaged_archives_give_facts_or_one_error(tmp_path: Path) -> None:
    place = place_of("interfaces/ip link")
    whole = archive(
        tmp_path / "whole.tar",
        (f"{place}/code", b"0\n"),
        (f"{place}/output", IP_LINK.encode()),
    ).read_bytes()[:4096]
    rng = random.Random(7)
    hostile = (0, 0x80, 0xFF, ord("L"), ord("x"), ord("9"))
    n_read = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.choice(hostile)
        path = tmp_path / "n0.tar"
        path.write_bytes(data[: rng.choice((len(data), rng.randrange(len(data))))])
        try:
            found = ClusterFacts("now", (read_archive("n0", path),))
        except UsageError:
            continue
        n_read += 1
        assert found.to_json()
    assert 20 < n_read < 380


def test_machines_by_ssh_and_by_archive_keep_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    archive(tmp_path / "b.tar")
    archive(tmp_path / "a.tar")
    (tmp_path / "hosts.yaml").write_text("machines: {n1: {archive: a.tar}, n0: {archive: b.tar}}\n")
    assert run(["facts", "hosts.yaml", "-o", "facts.json", "-q"]) == 0
    assert [one.name for one in ClusterFacts.load("facts.json").machines] == ["n1", "n0"]
    (tmp_path / "hosts.yaml").write_text("machines: {n1: {archive: a.tar, ssh: box}}\n")
    assert run(["facts", "hosts.yaml"]) == 2
    assert run(["facts", "b.tar", "--script"]) == 2
