# Shared by the launchers, which source it. The marker ready-VERSION in the plugin's data folder
# names the environment that answers: its interpreter on line 1, the hook's file on line 2.
root=${0%/*}/..
data=${CLAUDE_PLUGIN_DATA-}
case $data in /*) ;; *) exit 0 ;; esac
. "$root/hooks/path.sh"

# Sets $version to the version that the package folder $1 declares.
read_version() {
  version=
  [ -f "$1/base/version.py" ] || return 0
  while IFS= read -r line; do
    case $line in '__version__ = '*) version=${line#*\"} version=${version%%\"*} ;; esac
  done <"$1/base/version.py"
}

read_version "$root/src/groundwire"
plugin_version=$version
ready=$data/ready-$version

# Tells whether the kept file $1 may be run; what was built in the data folder is Claude Code's.
is_trusted() {
  case $1 in
    */../*) return 1 ;;
    "$data"/*) ;;
    *) may_run "$1" ;;
  esac
}

# Sets $interpreter and $file from the marker; fails when there is none, or its environment is gone
# or may not be run. Such a marker is taken away: this is said once and the next session mends it.
find_environment() {
  [ -f "$ready" ] || return 1
  { IFS= read -r interpreter && IFS= read -r file; } <"$ready"
  [ -f "$interpreter" ] && [ -x "$interpreter" ] && [ -f "$file" ] && [ -r "$file" ] &&
    is_trusted "$interpreter" && is_trusted "$file" && return 0
  clean_path
  rm -f "$ready"
  printf 'groundwire: the environment of %s cannot be used; the next session mends it\n' "$ready" >&2
  return 1
}

# Runs the environment's Python on $@ and sets $status. A status other than 0, or 2 where that wakes
# the model, is told. The second look ends with the client, whose process is $CLAUDE_PID.
wakes=
run() {
  CLAUDE_PID=${CLAUDE_PID:-$PPID} "$interpreter" -I "$@"
  status=$?
  case $status in 0 | "$wakes") return 0 ;; esac
  printf 'groundwire: nothing was checked: %s ended with status %s\n' "$interpreter" "$status" >&2
  return 1
}
