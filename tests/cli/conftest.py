"""What the tests of the command line share."""

from __future__ import annotations

import io

import pytest

from concilium import cli
from tests.cli.shell import Ran, Run


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process; ``given`` is its input, which is no terminal."""

    def call(*words: object, given: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        code = cli.main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
