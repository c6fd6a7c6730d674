"""Commands of the second look, and of confidences that a judge can give."""

from groundwire.commands.commands import Command, Groups

COMMANDS: Groups = {
    "The hook": (
        Command(
            "second-look", "Let a model check each turn.", "groundwire_judge.commands.second_look"
        ),
    ),
    "Confidence models": (
        Command(
            "confidence",
            "Score how far to trust an answer.",
            "groundwire_judge.commands.confidence",
        ),
    ),
}
