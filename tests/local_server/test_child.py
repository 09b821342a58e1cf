"""The service as a child of the app: what it is given, what it shows, and how it ends."""

from pathlib import Path

import httpx

from tests.support.service import running_service


def test_child_answers_to_its_launch_key(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        answer = httpx.get(f"{service.base_url}/v1/agents", headers={"X-API-Key": service.key})
        assert answer.status_code == 200


def test_alone(tmp_path: Path) -> None:
    with running_service(tmp_path, plan="free") as service:
        answer = httpx.get(f"{service.base_url}/v1/agents", headers={"X-API-Key": service.key})
        assert answer.status_code == 200
