"""A server brings kernels up only if it was started for that.

The rehearsal itself is tested in tests/live/test_workbench_rehearse.py.
"""

from __future__ import annotations

from tests.web.conftest import TestClient
from tests.web.serving import OWN, TOKEN, follow


def test_a_server_without_the_option_starts_no_kernels(client: TestClient) -> None:
    fields = follow(verifies=False, workload={"name": "barrier"}, faults=[], dilation=None)
    answer = client.post("/api/rehearse", headers=OWN, json=fields)
    assert answer.status_code == 400
    assert "--allow-emulate" in answer.json()["hint"]
    page = client.get("/", params={"token": TOKEN}).text
    assert "tab-study" in page
    assert "tab-rehearse" not in page
