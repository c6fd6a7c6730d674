"""The hook's one file: ``<interpreter> -I -S .../groundwire/hook/run.py``, the event on stdin.

Python compiles this file anew in every process, so it is short and hands over to ``answer``. ``-I
-S`` leaves out the ``site`` module, which costs a fifth of the start, so the folders of groundwire
and its libraries are added here.
"""

import os
import sys


def add_paths() -> None:
    root = __file__.rpartition("groundwire")[0]
    major, minor = sys.version_info[:2]
    python = f"python{major}.{minor}"
    libraries = f"{sys.executable.rpartition('bin')[0]}lib/{python}/site-packages"
    sys.path[:0] = root.rstrip("/\\"), libraries


def is_idle() -> bool:
    """Tell whether this is a background look, or a look for notes, and there is nothing to do."""
    if sys.argv[1:2] not in (["--second-look"], ["--notes"]):
        return False
    # as groundwire.base.paths has it, which would have to be loaded
    folders = (
        os.path.join(os.environ.get(name, ""), below)
        for name, below in (
            ("GROUNDWIRE_STATE_DIR", ""),
            ("XDG_STATE_HOME", "groundwire"),
            ("HOME", ".local/state/groundwire"),
            ("USERPROFILE", ".local/state/groundwire"),
        )
    )
    state = next(filter(os.path.isabs, folders), None)
    if state is None:
        return True
    if sys.argv[1] == "--second-look":
        return not os.path.exists(f"{state}/second-look/on")
    try:
        return not os.listdir(f"{state}/second-look/notes")
    except OSError:
        return True


def main() -> int:
    if is_idle():
        return 0
    if sys.flags.no_site:
        import gc

        gc.disable()  # a process this short has nothing to collect
        add_paths()
        from groundwire.hook.modules import LOADER

        sys.meta_path.insert(0, LOADER)
    from groundwire.hook.answer import main as answer

    return answer()


if __name__ == "__main__":
    code = 0
    try:
        code = main()
    except BaseException as failure:  # a broken installation: the turn ends
        os.write(2, b"groundwire: turn not checked: %a\n" % failure)
    os._exit(code)
