#!/bin/sh
# Scores the shipped rules on a labelled set: GOLD is its folder, score.py stands beside it.
set -eu
: "${GOLD:?usage: make quality GOLD=DIR (a folder with gold.jsonl, events.jsonl, transcripts/)}"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
cd "$GOLD"
"$BIN/groundwire" scan --events events.jsonl --verbose > "$out"
for split in tune check; do
    echo "== $split"
    "$BIN/python" ../score.py gold.jsonl "$out" --split "$split"
done
