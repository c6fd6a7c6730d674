"""``groundwire annotate`` on files that no session of ``site.console`` can hold."""

import os

from tests.cli.command import Command


def test_a_pipe_is_passed_over_and_a_file_with_two_names_is_left_alone(cli: Command) -> None:
    path = cli.write("a.md", "text\n")
    os.mkfifo(cli.folder / "pipe.md")
    os.link(path, cli.folder / "b.txt")
    process = cli("annotate", ".", "--write")
    assert process.returncode == 1
    assert b"a.md: has other names (hard links); nothing was changed" in process.stderr
    assert b"pipe.md: not a regular file" in process.stderr
    assert path.read_text(encoding="utf-8") == "text\n"
