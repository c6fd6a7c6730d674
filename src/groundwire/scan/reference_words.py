"""What tells an edit, a quotation and output from ordinary words, in the order of looking."""

from __future__ import annotations

from groundwire.rules.lists import DIRECT_VERBS

EDIT_VERBS = tuple(
    sorted(DIRECT_VERBS)
    + "appended inserted introduced dropped extracted moved replaced bumped".split()
)
#: Marks around a quotation, and words of which one stands in every line that presents output.
QUOTES = {"`": "`", '"': '"', "\u201c": "\u201d"}
INTRODUCED = tuple(
    "says said shows showed reads read printed reports reported logged contained contains was "
    "states stated failed crashed errored died aborted".split()
)

#: What tools print; one of these in a fence of an open language makes it output.
OUTPUT_SIGNS = (
    " passed", " failed", " passing\n", " failing\n", "--- PASS", "--- FAIL", "=== RUN", "PASS\n",
    "FAIL\n", "Traceback (most recent", "Error: ", "error: ", "error[", "ERROR: ", "warning: ",
    "exit code", "exit status", "BUILD SUCCESS", "BUILD FAILED", "test result:", "Tests:  ",
    "\nRan ", "npm ERR!", " ms)", "panicked at", "files changed", "0 problems", "\n$ ",
    "    Finished ", "   Compiling ", "ok  \t",
)  # fmt: skip
