"""Random numbers: SplitMix64 (Steele, Lea & Flood 2014), a counter and a mixing function.

The state is one number that grows by a constant, so a stream is the same on
every machine, takes one register, and can be entered anywhere.
"""

from plyout.kernel.bits import shr, signed
from plyout.kernel.door import inlined, kernel

GAMMA = signed(0x9E3779B97F4A7C15)
_MIX1 = signed(0xBF58476D1CE4E5B9)
_MIX2 = signed(0x94D049BB133111EB)
_LOW32 = 0xFFFFFFFF


@inlined
def mix(x: int) -> int:
    """A one-to-one scramble of 64 bits: every bit of `x` sways every bit of the result."""
    x = (x ^ shr(x, 30)) * _MIX1
    x = (x ^ shr(x, 27)) * _MIX2
    return x ^ shr(x, 31)


@inlined
def stream(seed: int, index: int) -> int:
    """The generator state of stream `index` of `seed`: game 7 is game 7, whoever plays it and when."""
    return mix(seed * GAMMA ^ mix(index + GAMMA))


@inlined
def below(state: int, n: int) -> tuple[int, int]:
    """(a number drawn from 0 … n-1, the next state), 0 < n < 2^31, exactly uniform.

    Lemire's method: the product of 32 random bits and n falls into n bins of nearly equal size; the few
    products that make some bins larger are drawn again.
    """
    state += GAMMA
    product = shr(mix(state), 32) * n
    if product & _LOW32 < n:
        surplus = (1 << 32) % n
        while product & _LOW32 < surplus:
            state += GAMMA
            product = shr(mix(state), 32) * n
    return shr(product, 32), state


@kernel
def seeded(seed: int, index: int) -> int:
    """`stream`, for Python to call."""
    return stream(seed, index)
