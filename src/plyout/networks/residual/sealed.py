"""A checksum inside a file of ONNX: 64 digits among what the model says of itself, of the file with zeros for them.

It can be checked without the package that reads such files. A model without one is taken as it is.
"""

import hashlib

SEAL = "sha256"
_DIGITS = 64


def unsealed() -> str:
    """What stands in the place of the checksum while it is computed."""
    return _DIGITS * "0"


def seal(content: bytes) -> bytes:
    """The file with its checksum in place of the zeros."""
    return content.replace(unsealed().encode(), _of(content), 1)


def is_intact(content: bytes, says: str) -> bool:
    """Whether a file is what it was when sealed; `says` is the checksum that the model has."""
    found = says.encode()
    return len(found) == _DIGITS and _of(content.replace(found, unsealed().encode(), 1)) == found


def _of(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
