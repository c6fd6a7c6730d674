"""The hook's one file: ``<interpreter> -I -S .../groundwire/hook/run.py``, the event on stdin.

Python compiles this file anew in every process, so it is short and hands over to ``answer``. ``-I
-S`` leaves out the ``site`` module, which costs a fifth of the start, so the folders of groundwire
and its libraries are added here.
"""

import sys


def add_paths() -> None:
    root = __file__.rpartition("groundwire")[0]
    major, minor = sys.version_info[:2]
    python = f"python{major}.{minor}"
    libraries = f"{sys.executable.rpartition('bin')[0]}lib/{python}/site-packages"
    sys.path[:0] = root.rstrip("/\\"), libraries


def main() -> int:
    if sys.flags.no_site:
        import gc

        gc.disable()  # a process this short has nothing to collect
        add_paths()
        from groundwire.hook.modules import LOADER

        sys.meta_path.insert(0, LOADER)
    from groundwire.hook.answer import main as answer

    return answer()


if __name__ == "__main__":
    import os

    try:
        main()
    except BaseException as failure:  # a broken installation: the turn ends
        os.write(2, b"groundwire: turn not checked: %a\n" % failure)
    os._exit(0)
