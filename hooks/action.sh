#!/usr/bin/env bash
# What action.yml runs: scans the commits and the text of a pull request or push, and files of the
# project. Its inputs are the variables GW_*; the event is the file that $GITHUB_EVENT_PATH names.
# Exit code 1: something that GW_FAIL_ON names was found; 2: an error.
set -uo pipefail
shopt -s nullglob globstar
. "${BASH_SOURCE[0]%/*}/path.sh"
clean_path

code=0
options=(--format "${GW_FORMAT:-github}" --fail-on "${GW_FAIL_ON:-block}")
[[ -z ${GW_BASELINE:-} ]] || options+=(--baseline "$GW_BASELINE")

# check TITLE [OPTION...] [FILE...]: scans, and keeps the worst exit code
check() {
  local title=$1 status=0
  shift
  echo "::group::groundwire: $title"
  python3 -I -m groundwire scan "${options[@]}" "$@" || status=$?
  echo "::endgroup::"
  ((status < 2)) || status=2
  ((status <= code)) || code=$status
}

# Prints the commits before and after, the title and the text of the event; nothing without a file.
read_event() {
  [[ -z ${GITHUB_EVENT_PATH:-} ]] || python3 -I - "$GITHUB_EVENT_PATH" <<'PYTHON'
import json, sys

def text(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""

with open(sys.argv[1], encoding="utf-8") as file:
    event = json.load(file)
request = event.get("pull_request")
ends = (("base", "sha"), ("head", "sha")) if request else (("before",), ("after",))
lines = [*(text(request or event, *names) for names in ends), text(request, "title")]
lines = [" ".join(line.split()) for line in lines] + [text(request, "body")]
sys.stdout.buffer.write("\n".join(lines).encode("utf-8", "replace"))
PYTHON
}

fail() {
  echo "::error title=groundwire::$1"
  exit 2
}

event=$(read_event) || fail "the event cannot be read"
{
  IFS= read -r base
  IFS= read -r head
  IFS= read -r title
  body=$(cat)
} <<<"$event" || :

if [[ ${GW_PULL_REQUEST:-true} == true && -n $title ]]; then
  check "text of the pull request" - < <(printf '%s.\n\n%s' "$title" "$body")
fi

if [[ ${GW_COMMITS:-true} == true && -n $base && -n $head && $base != 0000* ]]; then
  commits=$(git rev-list --reverse --no-merges "$base..$head" --) ||
    fail "commits $base..$head are not in this checkout; use fetch-depth: 0"
  for commit in $commits; do
    message=$(git log -1 --format=%B "$commit" --) || fail "commit $commit cannot be read"
    check "commit ${commit:0:12}" - <<<"$message"
  done
fi

files=()
while IFS= read -r pattern; do
  [[ -z $pattern ]] || for file in $pattern; do
    [[ $file != - ]] || file=./- # not the standard input
    [[ ! -f $file ]] || files+=("$file")
  done
done <<<"${GW_FILES:-}"
((${#files[@]} == 0)) || check "${#files[@]} files" -- "${files[@]}"
exit "$code"
