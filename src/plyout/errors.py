"""The one error that is the user's to mend."""


class InputError(ValueError):
    """What was given makes no sense; the message says in one line what is wrong and what would be right."""
