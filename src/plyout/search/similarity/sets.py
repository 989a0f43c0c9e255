"""How much two sets of numbers share: most measures of similarity are made of this."""

from plyout.kernel import Ints, at, inlined, put


@inlined
def sort(numbers: Ints, count: int) -> None:
    """The first `count` numbers in rising order."""
    for i in range(1, count):
        number = at(numbers, i)
        j = i
        while j > 0 and at(numbers, j - 1) > number:
            put(numbers, j, at(numbers, j - 1))
            j -= 1
        put(numbers, j, number)


@inlined
def common(a: Ints, count_a: int, b: Ints, count_b: int) -> int:
    """How many numbers two sorted lists share; one that stands twice in both is shared twice."""
    i, j, shared = 0, 0, 0
    while i < count_a and j < count_b:
        x, y = at(a, i), at(b, j)
        if x == y:
            shared += 1
        i += 1 if x <= y else 0
        j += 1 if y <= x else 0
    return shared


@inlined
def common_distinct(a: Ints, count_a: int, b: Ints, count_b: int) -> int:
    """How many numbers two lists share, each of which holds no number twice; in any order.

    Every pair is compared, several at a time: for some dozens of moves that is faster than sorting them.
    """
    shared = 0
    for i in range(count_a):
        number = at(a, i)
        for j in range(count_b):
            shared += 1 if at(b, j) == number else 0
    return shared


@inlined
def jaccard(shared: int, count_a: int, count_b: int) -> float:
    """What is shared among all that there is (Topolewski, equation 3.5); two empty sets are equal."""
    union = count_a + count_b - shared
    return shared / union if union > 0 else 1.0


@inlined
def take_out_common(a: Ints, count_a: int, b: Ints, count_b: int, tag_a: Ints, tag_b: Ints) -> tuple[int, int]:
    """Remove what two sorted lists share from both; what is left comes to their front, with its tags: how many each."""
    i, j, left_a, left_b = 0, 0, 0, 0
    while i < count_a or j < count_b:
        if i < count_a and j < count_b and at(a, i) == at(b, j):
            i += 1
            j += 1
        elif j >= count_b or (i < count_a and at(a, i) < at(b, j)):
            put(a, left_a, at(a, i))
            put(tag_a, left_a, at(tag_a, i))
            left_a += 1
            i += 1
        else:
            put(b, left_b, at(b, j))
            put(tag_b, left_b, at(tag_b, j))
            left_b += 1
            j += 1
    return left_a, left_b


@inlined
def sort_tagged(numbers: Ints, tags: Ints, count: int) -> None:
    """`sort`, and the tags go along."""
    for i in range(1, count):
        number, tag = at(numbers, i), at(tags, i)
        j = i
        while j > 0 and at(numbers, j - 1) > number:
            put(numbers, j, at(numbers, j - 1))
            put(tags, j, at(tags, j - 1))
            j -= 1
        put(numbers, j, number)
        put(tags, j, tag)
