"""Parts get their shares of items and labels, and groups stay whole."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from linnet.splitting.assignment import Group, assign

SHARES = (0.7, 0.15, 0.15)


def documents(*labels: dict[str, int]) -> list[Group]:
    return [Group((number,), each) for number, each in enumerate(labels)]


def counts(groups: list[Group], parts: list[int]) -> list[Counter[str]]:
    found = [Counter[str]() for _ in SHARES]
    for group, part in zip(groups, parts, strict=True):
        found[part].update({"items": len(group.items), **group.labels})
    return found


def test_each_part_gets_its_share_of_every_label() -> None:
    groups = documents(*({"Disease": 3 + n % 4, **({"CellLine": 1} if n % 10 == 0 else {})} for n in range(200)))

    train, devel, test = counts(groups, assign(groups, SHARES, seed=1))

    assert (train["items"], devel["items"], test["items"]) == (140, 30, 30)
    assert (train["CellLine"], devel["CellLine"], test["CellLine"]) == (14, 3, 3)
    total = train["Disease"] + devel["Disease"] + test["Disease"]
    assert abs(devel["Disease"] / total - 0.15) < 0.01
    assert abs(test["Disease"] / total - 0.15) < 0.01


def test_the_seed_decides_and_nothing_else() -> None:
    groups = documents(*({"X": 1} for _ in range(40)))

    assert assign(groups, SHARES, seed=1) == assign(groups, SHARES, seed=1)
    assert assign(groups, SHARES, seed=1) != assign(groups, SHARES, seed=2)


@given(st.lists(st.integers(1, 4), min_size=12, max_size=60), st.integers(0, 5))
def test_no_part_misses_its_share_by_more_than_the_largest_group(sizes: list[int], seed: int) -> None:
    groups = [Group(tuple(range(size)), {}) for size in sizes]

    found = counts(groups, assign(groups, SHARES, seed=seed))

    for part, share in zip(found, SHARES, strict=True):
        assert abs(part["items"] - share * sum(sizes)) <= max(sizes)
