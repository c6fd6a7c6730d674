"""What the turn shows of what its message claims: few facts, measured weights.

A turn is read once into a timeline, a claim once into what it is about. Features are facts of a
claim and the timeline, each from 0 to 1 with the call that shows it; a linear model adds them up.
``assess.assess`` is the one entrance for claims, ``references.knows`` for what a message refers to.
What tools print is read in ``groundwire.outcomes``, shell text in ``groundwire.shell``.

A module imports only from the rows above its own:

| ``records``: tools by what they do; runs, pointers and facts that all others pass on
| ``results``: what the harness gave back for a call
| ``signature``: what makes two commands the same run
| ``admitted``: what a message admits of itself
---
| ``programs``: what a command is, by the rows of ``programs/*.toml``
| ``texts``: what tools returned and people wrote, and what names and numbers stand in it
| ``claims``: what a sentence with markers claims
| ``edits``: what became of which files
| ``actions``: searches and to-dos
| ``later``: output that came after its call
| ``baseline``: what ran on other code than that of the turn
---
| ``settle``: the outcome of a command whose output is silent
---
| ``visible``: the outcomes that an output shows
---
| ``runs_of``: the calls of a turn as runs
---
| ``timeline``: all of this of one turn, read once, and what is asked of it
---
| ``session``: a digest of the earlier turns
| ``told``: the runs that a sentence of success names
| ``acts``: what a sentence says was done, and the run that did it
| ``searched``: searches against a sentence that denies something
| ``shown``: numbers, quotations and commits that no result shows
---
| ``references``: whether what a message refers to is known
| ``features``: the facts that are weighed
---
| ``weigh``: from facts to confidence, contributions and label
---
| ``assess``: all claims of a message
"""
