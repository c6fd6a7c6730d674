#!/bin/sh
# Builds the source archive and the wheel, and runs the wheel in an empty environment: what a user
# installs must work without the source tree, and holds nothing that is not needed. The wheel from
# the tree and the one from the archive are the same, byte by byte.
set -eu
cd "$(dirname "$0")/../.."
BIN=$(cd "${BIN:-.venv/bin}" && pwd)
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$BIN/python" -m build --outdir "$work/tree" --wheel . > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$BIN/python" -m build --outdir "$work/archive" . > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }

"$BIN/python" tests/package/contents.py sdist "$work"/archive/*.tar.gz
"$BIN/python" tests/package/contents.py wheel "$work"/archive/*.whl
if [ -e .git ]; then "$BIN/python" tests/package/contents.py checkout; fi

# What the installed hook answers to a turn of fixtures/hook, with its transcript.
answer() {
    sed "s|\"transcript.jsonl\"|\"$root/fixtures/hook/$1/transcript.jsonl\"|" "$root/fixtures/hook/$1/event.json" |
        env -i HOME="$work/env" "$work/env/bin/python" -I -S "$file"
}

wheel=$(echo "$work"/archive/*.whl)
cmp "$work"/tree/*.whl "$wheel"
"$BIN/python" -m venv "$work/env"
"$work/env/bin/python" -m pip install --quiet --disable-pip-version-check \
    --constraint constraints.txt "$wheel"
cd "$work"
"$work/env/bin/groundwire" --version
"$work/env/bin/groundwire" patterns check
echo "I think it is the parser." | "$work/env/bin/groundwire" scan | grep -q '"confidence": 75'
file=$("$work/env/bin/python" -c 'import groundwire.hook.run as run; print(run.__file__)')
printf '{"hook_event_name":"Stop","session_id":"p","last_assistant_message":"%s"}' \
    "I think the crash is caused by a race." |
    env -i HOME="$work/env" "$work/env/bin/python" -I -S "$file" | grep -q '"decision": "block"'
answer pair-count-over-failures | grep -q '"decision": "block".*pytest -q.* failed last: '
test -z "$(answer pair-count-as-printed)"
HOME="$work/env" "$work/env/bin/python" -m claude.validation.nlnh.confidence_calculator \
    planner archon-planner-1 0.8 0.9 0.7 | grep -qx 'Threshold: 75.00%'
HOME="$work/env" "$work/env/bin/groundwire" doctor --json | grep -q '"healthy": false'
printf '{"hook_event_name":"Stop","last_assistant_message":"Hello."}' |
    env -i HOME="$work/env" "$work/env/bin/groundwire-hook"
echo "ok: $(basename "$wheel")"
