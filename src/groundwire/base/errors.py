"""Errors that a user can mend; each message names the place, the value and what is allowed."""


class GroundwireError(Exception):
    """Base of every expected failure; the command line prints it without a traceback."""


class EventError(GroundwireError):
    """The hook input is not a JSON object that groundwire can read."""


class TranscriptError(GroundwireError, OSError):
    """A transcript cannot be opened or read; also an ``OSError``."""


class NoTranscriptError(TranscriptError):
    """A file can be read, and holds no line of a session."""


class LexiconError(GroundwireError):
    """One or more pattern files are invalid; one ``file: id: message`` line per problem."""


class ConfigError(GroundwireError):
    """One or more settings are invalid; one ``file: key: message`` line per problem."""


class InstallError(GroundwireError):
    """Claude Code's settings cannot be changed safely."""


class HostError(GroundwireError):
    """There is no host of this name."""


class ExtraError(GroundwireError):
    """The optional packages of an extra are not installed."""


class ServerError(GroundwireError):
    """The resident server cannot run or be reached as asked."""


class ConfidenceError(GroundwireError, ValueError):
    """An input of a confidence model is not what the model takes; also a ``ValueError``."""


class FileError(GroundwireError):
    """A file or folder cannot be read, or not be changed safely."""


class StoreError(GroundwireError):
    """The database cannot be opened, reached, or used at its revision."""


class NotFoundError(StoreError):
    """What was asked for by name or number is not in the database."""


class ConflictError(StoreError):
    """Somebody else changed the same thing first; nothing was changed."""


class UsageError(GroundwireError):
    """The command line asks for something that does not exist or does not go together."""
