"""Entry point of the compile process: ``python -I compile_main.py FOLDER``.

The hook starts it with the interpreter and the environment that it has itself, but with the
installed packages; groundwire's own folder is added because the hook may not run from an
installation.
"""

from __future__ import annotations

import os
import sys


def main(arguments: list[str]) -> int:
    """Compile the settings for the folder in ``arguments``; the exit status says if it worked."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, os.path.dirname(package))
    cwd = arguments[0]
    try:
        from groundwire.settings.compile import compile_to_cache

        return 0 if compile_to_cache(os.environ, cwd) else 1
    except Exception as error:  # the hook tells it; nobody sees a traceback of this process
        return _write_failure(cwd, f"settings cannot be compiled: {type(error).__name__}: {error}")


def _write_failure(cwd: str, text: str) -> int:
    from groundwire.base.paths import cache_folder
    from groundwire.hook.compiled import Compiled, settings_key
    from groundwire.hook.compiled_file import write_compiled

    key_and_files = settings_key(os.environ, cwd)
    folder = cache_folder(os.environ)
    if key_and_files is not None and folder is not None:
        write_compiled(folder, key_and_files[0], Compiled(error=text, transient=True))
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
