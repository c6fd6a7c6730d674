#!/bin/sh
# Finds a Python that can build the plugin's environment and hands over to build.py.
# By hand, from anywhere: sh /path/to/hooks/build.sh DATA_FOLDER
case ${1-} in
  /*) CLAUDE_PLUGIN_DATA=$1 ;;
  *) printf 'usage: sh %s DATA_FOLDER (an absolute path)\n' "$0" >&2 && exit 2 ;;
esac
. "${0%/*}/launch.sh"
clean_path
here=$(CDPATH='' cd -- "${0%/*}" && pwd)
for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
  path=$(command -v "$python" 2>/dev/null) && may_run "$path" || continue
  # Without its developer tools, macOS opens a dialog for this one; with them it is too old.
  case $path in /usr/bin/*) [ ! -d /System/Library/CoreServices ] || continue ;; esac
  # In a folder without files of the project, which a version manager would read.
  (cd / && exec "$path" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 11))') \
    </dev/null >/dev/null 2>&1 && cd / && exec "$path" -I -S -B "$here/build.py" "$@"
done

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
why="groundwire checks nothing: it needs Python 3.11 or newer, and there is none on the PATH \
that is yours or root's. Install one, then run: sh $(quoted "$here/build.sh") $(quoted "$data")"
printf '%s\n' "$why" >&2
mkdir -p "$data" && printf '%s\n' "$why" >"$data/failed-$plugin_version.$$" &&
  mv -f "$data/failed-$plugin_version.$$" "$data/failed-$plugin_version"
exit 1
