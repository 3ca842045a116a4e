import json
from pathlib import Path

from typer.testing import CliRunner

from linnet.cli.main import app
from linnet.models.encoder_check import check_encoder_files
from tests import tiny
from tests.models.published.look_alikes import look_alike


def test_a_published_encoder_is_described(tmp_path: Path) -> None:
    folder = look_alike(tmp_path / "biobert", "biobert")
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\nBioBERT", encoding="utf-8")

    found = check_encoder_files(str(folder))

    assert (found.family, found.lower_case, found.licence) == ("bert", False, "apache-2.0")
    assert found.weights.startswith("PyTorch")
    assert found.parameters > 0
    assert "pytorch_model.bin" in found.files


def test_the_command_has_the_keys_that_other_programs_rely_on() -> None:
    done = CliRunner().invoke(app, ["encoders", "check", str(tiny.encoder()), "--json"])

    assert done.exit_code == 0
    found = json.loads(done.stdout)
    expected = {"name", "source", "revision", "family", "lower_case", "parameters", "weights", "tokenizer", "notes"}
    assert expected <= found.keys()


def test_the_command_prints_a_table() -> None:
    done = CliRunner().invoke(app, ["encoders", "check", str(tiny.encoder("roberta"))])

    assert "roberta" in done.stdout
    assert "cased (capitals are kept)" in done.stdout


def test_a_run_records_which_weights_it_began_with(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=0)

    assert run.facts.encoder_source["weights"]
