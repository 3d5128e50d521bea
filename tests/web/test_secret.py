"""The secret of a folder is the same at every start, and no other user can read its key.

Keys are kept in a folder of the test.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.serving import serving

from linkwright.files import private_key
from linkwright.web.secret import secret


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of this test's key."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "linkwright" / "workbench.key"


def test_a_secret_is_that_of_a_folder_and_a_port(key: Path, tmp_path: Path) -> None:
    first = secret(tmp_path, 5000)
    assert len(first) == 32
    assert first == secret(tmp_path, 5000)
    assert len({first, secret(tmp_path, 5001), secret(tmp_path / "below", 5000)}) == 3
    key.unlink()
    assert secret(tmp_path, 5000) != first


def test_the_key_is_for_its_user_alone(key: Path, tmp_path: Path) -> None:
    first = secret(tmp_path, 5000)
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700
    assert [one.name for one in key.parent.iterdir()] == [key.name]
    key.chmod(0o644)
    # A key that others could have read is used no more.
    assert secret(tmp_path, 5000) not in (first, secret(tmp_path, 5000))


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 40])
def test_a_key_of_another_length_is_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.touch(mode=0o600)
    path.write_bytes(content)
    assert len(private_key(path)) == 32
    assert private_key(path) != private_key(path)


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert len(private_key(tmp_path / "file" / "key")) == 32


def test_a_new_start_has_the_address_of_the_one_before(folder: Path) -> None:
    addresses = []
    for _ in range(2):
        with serving(folder) as served:
            addresses.append(served.address)
            served.process.kill()
            served.process.wait(5)
    assert addresses[0] == addresses[1]
