"""Commands of the confidence models."""

from groundwire.commands.commands import Command, Groups

COMMANDS: Groups = {
    "Confidence models": (
        Command(
            "composite", "Weigh the scores of an agent.", "groundwire_confidence.commands.composite"
        ),
        Command(
            "outcome",
            "Say whether an agent's run was right.",
            "groundwire_confidence.commands.outcome",
        ),
        Command(
            "gate", "Check an answer before it goes out.", "groundwire_confidence.commands.gate"
        ),
        Command(
            "rag",
            "Score answers with their retrieval results.",
            "groundwire_confidence.commands.rag",
        ),
        Command(
            "reinforce",
            "Confidence that grows with evidence.",
            "groundwire_confidence.commands.reinforce",
        ),
        Command(
            "milestones", "Find milestones in files.", "groundwire_confidence.commands.milestones"
        ),
        Command(
            "data-age", "Tell how old data files are.", "groundwire_confidence.commands.data_age"
        ),
        Command(
            "annotate", "Write score headers into files.", "groundwire_confidence.commands.annotate"
        ),
    ),
}
