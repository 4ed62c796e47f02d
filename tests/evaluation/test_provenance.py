"""Where results come from: what is told is true of this run."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from pathlib import Path

import numpy as np

from concilium.evaluation.provenance import PACKAGES, provenance


def test_versions_command_and_date_are_told() -> None:
    found = provenance(["random"])
    assert json.loads(json.dumps(found)) == found
    assert found["python"] == platform.python_version()
    assert found["packages"]["numpy"] == np.__version__
    assert set(found["packages"]) <= set(PACKAGES)
    assert found["command"] == sys.argv
    assert found["date"].endswith("+00:00")
    assert found["files"] == {}


def test_files_are_told_by_their_digests(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text("a deck")
    found = provenance(options={"deck": str(deck), "num_players": 4, "rows": "4-4"})
    assert found["files"] == {str(deck): hashlib.sha256(b"a deck").hexdigest()}
