#!/usr/bin/env bash
# What action.yml runs: scans the commits and the text of a pull request or push, and files of the
# project. Its inputs are the variables GW_*; the event is the file that $GITHUB_EVENT_PATH names.
# Exit code 1: something that GW_FAIL_ON names was found; 2: an error.
set -uo pipefail
shopt -s nullglob globstar

code=0
options=(--format "${GW_FORMAT:-github}" --fail-on "${GW_FAIL_ON:-block}")
[[ -z ${GW_BASELINE:-} ]] || options+=(--baseline "$GW_BASELINE")

# check TITLE [OPTION...] [FILE...]: scans, and keeps the worst exit code
check() {
  local title=$1 status=0
  shift
  echo "::group::groundwire: $title"
  groundwire scan "${options[@]}" "$@" || status=$?
  echo "::endgroup::"
  ((status <= code)) || code=$status
}

# field NAME...: a value of the event, "" when it has none
field() {
  [[ -z ${GITHUB_EVENT_PATH:-} ]] || python3 - "$@" <<'PYTHON'
import json, os, sys

with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
    value = json.load(file)
for name in sys.argv[1:]:
    value = value.get(name) if isinstance(value, dict) else None
print(value if isinstance(value, str) else "", end="")
PYTHON
}

if [[ ${GW_PULL_REQUEST:-true} == true && -n $(field pull_request title) ]]; then
  check "text of the pull request" - < <(
    field pull_request title
    printf '.\n\n'
    field pull_request body
  )
fi

if [[ ${GW_COMMITS:-true} == true ]]; then
  base=$(field pull_request base sha)$(field before)
  head=$(field pull_request head sha)$(field after)
  if [[ -n $base && -n $head && $base != 0000* ]]; then
    if commits=$(git rev-list --reverse --no-merges "$base..$head" 2>&1); then
      for commit in $commits; do
        check "commit ${commit:0:12}" - < <(git log -1 --format=%B "$commit")
      done
    else
      echo "::error title=groundwire::commits $base..$head are not in this checkout; use fetch-depth: 0"
      code=2
    fi
  fi
fi

files=()
while IFS= read -r pattern; do
  [[ -z $pattern ]] || for file in $pattern; do [[ ! -f $file ]] || files+=("$file"); done
done <<<"${GW_FILES:-}"
((${#files[@]} == 0)) || check "${#files[@]} files" "${files[@]}"
exit "$code"
