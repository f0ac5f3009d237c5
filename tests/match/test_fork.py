"""A replay that goes on in two ways from one point."""

from __future__ import annotations

from runwright.match import Miss, Served
from tests.match.build import A, B, C, ask, asks, exchange, matcher, said


def test_what_one_is_served_the_other_still_may_be() -> None:
    matches = matcher(exchange("m1", ask("one")), exchange("m2", ask("two")))
    matches.serve(ask("one"), False)
    other = matches.fork()
    assert isinstance(other.serve(ask("two"), False), Served)
    assert (matches.left_over(), other.left_over()) == (("m2",), ())
    assert isinstance(matches.serve(ask("two"), False), Served)


def test_a_miss_stops_one_of_them() -> None:
    matches = matcher(exchange("m1", ask("one")), exchange("m2", ask("two")))
    other = matches.fork()
    assert isinstance(other.serve(ask("three"), False), Miss)
    assert other.missed is not None
    assert matches.missed is None
    assert isinstance(matches.serve(ask("one"), False), Served)


def test_what_one_binds_the_other_does_not() -> None:
    matches = matcher(exchange("m1", ask(f"id {A}")), exchange("m2", asks(said("user", f"again {A}"))))
    other = matches.fork()
    assert isinstance(other.serve(ask(f"id {B}"), False), Served)
    assert isinstance(matches.serve(ask(f"id {C}"), False), Served)
    assert isinstance(other.fork().serve(asks(said("user", f"again {C}")), False), Miss)
    assert isinstance(other.serve(asks(said("user", f"again {B}")), False), Served)
    assert isinstance(matches.serve(asks(said("user", f"again {C}")), False), Served)


def test_what_was_bound_before_the_fork_holds_in_both() -> None:
    matches = matcher(exchange("m1", ask(f"id {A}")), exchange("m2", asks(said("user", f"again {A}"))))
    matches.serve(ask(f"id {B}"), False)
    assert isinstance(matches.fork().serve(asks(said("user", f"again {C}")), False), Miss)
    assert isinstance(matches.fork().serve(asks(said("user", f"again {B}")), False), Served)
