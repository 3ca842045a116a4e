"""The service as other programs see it: Label Studio's own checks of predictions, and schemathesis over the API.

Both bring dozens of packages, so they are no dependency of the tests. Run these with
`pip install label-studio-sdk schemathesis` and `pytest -m slow`.
"""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from tests.serving.http.running import running
from tests.serving.http.services import client_of, make_service

CONFIG = """<View><Labels name="ner" toName="doc"><Label value="Name"/><Label value="Letter"/></Labels>
<Text name="doc" value="$abstract"/></View>"""
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,unsupported_method"
)


@pytest.mark.slow
def test_label_studio_takes_our_predictions() -> None:
    pytest.importorskip("label_studio_sdk")
    sdk: Any = importlib.import_module("label_studio_sdk.label_interface")
    shapes: Any = importlib.import_module("label_studio_sdk.label_interface.objects")
    interface = sdk.LabelInterface(CONFIG)
    task = {"id": 7, "data": {"abstract": "In Bonn and 😀 Paris. A"}}
    asked = {"project": "1.1", "label_config": CONFIG, "params": {"context": None}, "tasks": [task]}
    setup = {"project": "1.1", "schema": CONFIG, "hostname": "http://localhost:8080", "access_token": "t"}

    with client_of(make_service()) as client:
        health = client.get("/health").json()
        version = client.post("/setup", json=setup).json()["model_version"]
        answer = client.post("/predict", json=asked).json()

    assert health["status"] == "UP"
    (prediction,) = answer["results"]
    assert interface.validate_prediction(prediction, return_errors=True) == []
    taken = shapes.PredictionValue(**prediction)
    assert (taken.model_version, len(taken.result)) == (version, 4)
    assert not interface.validate_prediction({**prediction, "result": [{**prediction["result"][0], "to_name": "x"}]})


@pytest.mark.slow
def test_schemathesis_finds_no_error_of_the_service(tmp_path: Path) -> None:
    program = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("schemathesis is not installed")
    service = make_service(links=True)

    with running(build_application(service, Access())) as address:
        done = subprocess.run(
            [
                *(program, "run", f"{address}/openapi.json", "--checks", CHECKS),
                *("--max-examples", "30", "--seed", "1", "--no-color", "--suppress-health-check", "all"),
            ],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=900,
            check=False,
        )

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert sum(service.metrics.requests.values()) > 500
    assert not [status for _, status in service.metrics.requests if status >= 500]
