"""Real outputs of git."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    ("git add", "git/add_missing", failed("fatal: pathspec 'missing.txt' did not match any files")),
    ("git apply", "git/apply_failed", failed("error: patch failed: one.txt:1")),
    (
        "git checkout",
        "git/checkout_refused",
        failed(
            "error: Your local changes to the following files would be overwritten by checkout:"
        ),
    ),
    (
        "git cherry-pick",
        "git/cherry_pick_conflict",
        failed("CONFLICT (content): Merge conflict in one.txt"),
    ),
    ("git cherry-pick", "git/cherry_pick_done", passed("[main ab3234f] r")),
    ("git commit", "git/commit_all", passed("[main 1ecc32e] Change one")),
    ("git commit", "git/commit_amend", passed("[main 0d32d91] Change one word")),
    ("git commit", "git/commit_clean", failed("nothing to commit, working tree clean")),
    ("git commit", "git/commit_colours", passed("[main d7ff647] c")),
    ("git commit", "git/commit_conventional_hook", None),
    ("git commit", "git/commit_detached", passed("[detached HEAD e19edbc] detached")),
    ("git commit", "git/commit_done", passed("[main ea6bd68] hooked")),
    # a hook has no form of its own
    ("git commit", "git/commit_hook_failed", None),
    ("git commit", "git/commit_merge", passed("[main 8d79c37] Merge both")),
    (
        "git commit",
        "git/commit_no_identity",
        failed("fatal: no email was given and auto-detection is disabled"),
    ),
    (
        "git commit",
        "git/commit_nothing_added",
        failed('nothing added to commit but untracked files present (use "git add" to track)'),
    ),
    (
        "git commit",
        "git/commit_nothing_staged",
        failed('no changes added to commit (use "git add" and/or "git commit -a")'),
    ),
    # silent
    ("git commit", "git/commit_quiet", None),
    ("git commit", "git/commit_quiet_tail", None),
    ("git commit", "git/commit_root", passed("[main (root-commit) cfa99e5] Add one")),
    ("git commit", "git/commit_some", passed("[main 5445a4e] Add two")),
    (
        "git commit",
        "git/commit_unmerged",
        failed("error: Committing is not possible because you have unmerged files."),
    ),
    ("git checkout", "git/detached", None),
    ("git", "git/fetch", None),
    (
        "git commit",
        "git/lock_exists",
        failed("fatal: Unable to create '/home/dev/notes/.git/index.lock': File exists."),
    ),
    ("git", "git/log", None),
    ("git merge", "git/merge_abort", None),
    ("git merge", "git/merge_conflict", failed("CONFLICT (content): Merge conflict in one.txt")),
    ("git merge", "git/merge_fast_forward", passed("Fast-forward")),
    ("git merge", "git/merge_made", passed("Merge made by the 'ort' strategy.")),
    ("git merge", "git/merge_refused", failed("Merge with strategy ort failed.")),
    ("git merge", "git/merge_up_to_date", passed("Already up to date.")),
    (
        "git status",
        "git/no_repository",
        failed("fatal: not a git repository (or any of the parent directories): .git"),
    ),
    ("git", "git/no_such_command", failed("git: 'comit' is not a git command. See 'git --help'.")),
    ("git pull", "git/pull_conflict", failed("CONFLICT (content): Merge conflict in one.txt")),
    (
        "git pull",
        "git/pull_divergent",
        failed("fatal: Need to specify how to reconcile divergent branches."),
    ),
    ("git pull", "git/pull_fast_forward", passed("Fast-forward")),
    ("git pull", "git/pull_rebase", passed("Successfully rebased and updated refs/heads/main.")),
    ("git pull", "git/pull_up_to_date", passed("Already up to date.")),
    ("git push", "git/push_ahead", passed("cfa99e5..0bbe536  main -> main")),
    ("git push", "git/push_bad_ref", failed("error: src refspec nothing does not match any")),
    ("git push", "git/push_branch", passed("* [new branch]      topic -> topic")),
    ("git push", "git/push_delete", passed("- [deleted]         topic")),
    ("git push", "git/push_dry_run", passed("4afe2cf..2062636  main -> main")),
    ("git push", "git/push_force", passed("+ 44ed6bd...8be0aca main -> main (forced update)")),
    (
        "git push",
        "git/push_hook_declined",
        failed("! [remote rejected] main -> main (pre-receive hook declined)"),
    ),
    ("git push", "git/push_leased", passed("+ 8be0aca...6566c5d main -> main (forced update)")),
    (
        "git push",
        "git/push_missing_remote",
        failed("fatal: 'nowhere' does not appear to be a git repository"),
    ),
    ("git push", "git/push_new", passed("* [new branch]      main -> main")),
    (
        "git push",
        "git/push_no_upstream",
        failed("fatal: The current branch main has no upstream branch."),
    ),
    ("git push", "git/push_porcelain", passed("refs/heads/main:refs/heads/main\t6566c5d..0d32d91")),
    ("git push", "git/push_rejected", failed("! [rejected]        main -> main (fetch first)")),
    (
        "git push",
        "git/push_rejected_tail",
        failed("hint: See the 'Note about fast-forwards' in 'git push --help' for details."),
    ),
    ("git push", "git/push_tag", passed("* [new tag]         v1 -> v1")),
    ("git push", "git/push_tail", passed("0bbe536..03c47e0  main -> main")),
    # nothing to send: it is there
    ("git push", "git/push_up_to_date", passed("Everything up-to-date")),
    ("git rebase", "git/rebase_conflict", failed("CONFLICT (content): Merge conflict in one.txt")),
    ("git rebase", "git/rebase_done", passed("Successfully rebased and updated refs/heads/r.")),
    ("git rebase", "git/rebase_up_to_date", passed("Current branch r is up to date.")),
    ("git cherry-pick", "git/revert", passed('[main 67c4652] Revert "Add z"')),
    (
        "git stash",
        "git/stash",
        passed("Saved working directory and index state WIP on main: a096eff ff"),
    ),
    (
        "git stash",
        "git/stash_pop",
        passed("Dropped refs/stash@{0} (55a9414d9f41f2410d1262c5380a303321f5cf09)"),
    ),
    (
        "git stash",
        "git/stash_pop_conflict",
        failed("CONFLICT (content): Merge conflict in one.txt"),
    ),
    ("git status", "git/status_ahead", unknown("Changes not staged for commit:")),
    ("git status", "git/status_clean", passed("nothing to commit, working tree clean")),
    ("git status", "git/status_clean_no_upstream", passed("nothing to commit, working tree clean")),
    ("git status", "git/status_conflict", unknown("Unmerged paths:")),
    ("git status", "git/status_diverged", passed("nothing to commit, working tree clean")),
    ("git status", "git/status_mixed", unknown("Changes to be committed:")),
    ("git status", "git/status_rebase", unknown("Unmerged paths:")),
    ("git status", "git/status_short_clean", None),
    ("git status", "git/status_short_conflict", unknown("UU one.txt")),
    ("git status", "git/status_short_mixed", unknown("M one.txt")),
    ("git status", "git/status_short_staged", unknown("A  one.txt")),
    ("git status", "git/status_staged", unknown("Changes to be committed:")),
    ("git status", "git/status_untracked", unknown("Untracked files:")),
    ("git checkout", "git/switch_back", None),
    # add && commit && push && status: each reads its own lines
    ("git add", "git/add_commit_push", None),
    # add && commit && push && status: each reads its own lines
    ("git commit", "git/add_commit_push", passed("[main 530afb5] Add z")),
    # add && commit && push && status: each reads its own lines
    ("git push", "git/add_commit_push", passed("4afe2cf..530afb5  main -> main")),
    # add && commit && push && status: each reads its own lines
    ("git status", "git/add_commit_push", passed("nothing to commit, working tree clean")),
    ("git commit", "git/push_rejected", None),
    ("git status", "git/commit_colours", passed("nothing to commit, working tree clean")),
    ("git push", "git/pull_fast_forward", None),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["git"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
