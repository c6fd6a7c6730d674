"""Words by which plain statements are read, and words that rule a sentence out as one."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


#: Conditions, possibilities, contrast, sequence, past and reported speech: a sentence with one of
#: these says more than "X is so", and is not compared with others.
SENTENCE_GUARDS = _words(
    "if when whenever unless until till once before after while whereas although though but "
    "however except without instead otherwise else despite besides would could should might may "
    "can will shall must cannot can't won't wouldn't couldn't shouldn't was were had wasn't "
    "weren't hadn't previously initially earlier originally formerly first then next later "
    "afterwards again old new expected expect expects example suppose imagine assume "
    "assuming pretend either neither or nor only just merely used why how what which who where "
    "whether that because since as so let let's please likely probably perhaps maybe think believe "
    "seems appears looks supposed meant hypothetically ideally normally usually sometimes often "
    "typically vs versus unlike rather than yesterday today"
)
#: A paragraph or list under a line with one of these lists cases, options, times or plans.
BLOCK_GUARDS = _words(
    "option options alternative alternatives approach approaches scenario scenarios case cases "
    "before after previously originally initially formerly expected example examples pros cons "
    "plan planned proposal proposed todo next future question questions hypothesis recommendation "
    "recommendations recommended suggestion suggestions old new criteria requirements behavior "
    "behaviour reproduce reproduction symptom symptoms background problem"
)
#: Words of headings that name no scope of their own.
PLAIN_HEADINGS = _words(
    "summary result results status verification overview note notes known issue issues remaining "
    "limitation limitations change changes fixed done test tests testing what did i final "
    "conclusion detail details key point points update updates current state the of and a to for "
    "in on my work completed outcome outcomes findings recap wrap up quality check checks "
    "validation here's here is now are we you left open caveats follow follow-up"
)

DETERMINERS = _words("the a an this these those our your my its their his her")
WHOLE = _words("all every each both the these those our your my its")
QUANTIFIERS = _words("all every each both no none")
PART = _words("some several many few most a an another one part")
PRONOUNS = _words(
    "it this that they these those he she you one everything nothing something anything there here "
    "both some all none each others another who which what"
)
#: Single nouns that name one thing in a project.
UNIQUE_NOUNS = _words(
    "build ci lint linter linting suite pipeline compilation typecheck type-check deployment "
    "server app application project migration refactor refactoring installation release codebase"
)

AUXILIARIES = _words("is are am has have been be being do does did get gets got")
NEGATIONS = _words("not never")
ADVERBS = _words(
    "now still all also currently fully completely successfully cleanly already both correctly "
    "consistently really always just yet entirely properly too overall actually finally clearly "
    "again reliably perfectly reliably totally quite very"
)
PERSISTENT = _words("still currently remain remains left yet remaining")
DISCOURSE = _words(
    "overall also unfortunately sadly good great perfect done so note currently now "
    "importantly luckily fortunately finally additionally furthermore moreover"
)


def _family(name: str, holds: bool, tense: str, words: str) -> dict[str, tuple[str, bool, str]]:
    return dict.fromkeys(words.split(), (name, holds, tense))


#: Word -> (family, holds, tense). Words of one family with another ``holds`` exclude each other.
PREDICATES = {
    **_family("ok", True, "present", "pass passes passing green succeed succeeds succeeding"),
    **_family("ok", True, "present", "work works working fixed resolved solved"),
    **_family("ok", True, "past", "passed succeeded worked"),
    **_family("ok", False, "present", "fail fails failing red broken unresolved unfixed"),
    **_family("ok", False, "present", "crash crashes crashing"),
    **_family("ok", False, "past", "failed crashed"),
    **_family("done", True, "present", "done complete completed finished implemented ready"),
    **_family("done", False, "present", "incomplete unfinished unimplemented pending missing"),
    **_family("done", False, "present", "outstanding"),
}
#: Words by which something is said to exist.
EXISTENCE = _words("there no zero remain remains left")
STATIVE = _words("has have contains contain includes include")
EXISTENCE_ENDS = _words("remain remains remaining left found exist exists detected reported")
LINKS = _words("in on for with under at during from by within inside via using per across")
IRREGULAR = {
    "ran": "run",
    "wrote": "write",
    "made": "make",
    "found": "find",
    "built": "build",
    "kept": "keep",
    "saw": "see",
    "read": "read",
    "written": "write",
    "seen": "see",
}
