"""The hook's one file: ``<interpreter> -I -S .../groundwire/hook/run.py``, the event on stdin.

Python compiles this file anew in every process, so it is short: it opens the bundle (``bundle.py``)
where there is one and hands over to ``answer``. ``-I -S`` leaves out the ``site`` module, which
costs a fifth of the start, so the folders of groundwire and its libraries are added here.
"""

import sys


def add_paths() -> None:
    root = __file__.rpartition("groundwire")[0]
    major, minor = sys.version_info[:2]
    python = f"python{major}.{minor}"
    libraries = f"{sys.executable.rpartition('bin')[0]}lib/{python}/site-packages"
    sys.path[:0] = root.rstrip("/\\"), libraries


def add_bundle() -> None:
    version = f"{sys.implementation.cache_tag}-{sys.hexversion:x}"
    folder = __file__.rpartition("hook")[0]
    try:
        import gc
        from marshal import loads

        gc.disable()  # a process this short has nothing to collect

        # left open: modules that a turn needs later are read from it
        file = open(f"{folder}__pycache__/hook.{version}.bundle", "rb")  # noqa: SIM115
        reader, *content = loads(file.read(int(file.read(8))))  # noqa: S302
        names: dict[str, object] = {"__name__": "groundwire.hook.reader"}
        exec(reader, names)  # noqa: S102
        names["use"](file, folder, *content)  # type: ignore[operator]
    except Exception:
        return  # missing or damaged: all modules are imported one by one


def main() -> int:
    if sys.flags.no_site:
        add_paths()
        add_bundle()
    from groundwire.hook.answer import main as answer

    return answer()


if __name__ == "__main__":
    import os

    try:
        main()
    except BaseException as failure:  # a broken installation: the turn ends
        os.write(2, b"groundwire: turn not checked: %a\n" % failure)
    os._exit(0)
