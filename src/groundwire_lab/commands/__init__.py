"""Commands of labels, quality and calibration."""

from groundwire.commands.commands import Command, Groups

COMMANDS: Groups = {
    "The hook": (
        Command("wrong", "Keep a wrong stop, or learn from all.", "groundwire_lab.commands.wrong"),
    ),
    "Measure on labels": (
        Command("label", "Judge messages sentence by sentence.", "groundwire_lab.commands.label"),
        Command("quality", "Measure settings, or a judge.", "groundwire_lab.commands.quality"),
        Command("calibrate", "Fit the weights to labels.", "groundwire_lab.commands.calibrate"),
    ),
}
