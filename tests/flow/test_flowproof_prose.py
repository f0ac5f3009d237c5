"""Prose as flowproof reads it: the same words, the same meaning, and where its grammar stops."""

import pytest
from hypothesis import given, strategies as st

from runwright.errors import FlowError
from runwright.flow import NoToolCall, Reply, ToolCall
from runwright.flow.flowproof_prose import NotFlowproof, read_flowproof
from runwright.flow.matchers import ABSENT, Clause, Test, satisfies


def call(text: str) -> ToolCall:
    value = read_flowproof("assert_tool_call", text, "f")
    assert isinstance(value, ToolCall)
    return value


def only(text: str) -> Clause:
    ((clause,),) = call(text).where
    return clause


def equal(value: object) -> Test:
    return Test(op="equals", value=value, as_text=True)


READ = [
    ("t where a equals KQ311", ("a",), equal("KQ311")),
    ("t where a is 12A", ("a",), equal("12A")),
    ("t where a equals 900", ("a",), equal(900)),
    ("t where a equals true", ("a",), equal(True)),
    ("t where a equals 007", ("a",), equal("007")),
    ("t where a equals Casey Jordan", ("a",), equal("Casey Jordan")),
    ("t where a contains Casey", ("a",), Test(op="contains", value="Casey", as_text=True)),
    ("t where a matches [0-9]+[A-F]", ("a",), Test(op="matches", value="[0-9]+[A-F]", as_text=True)),
    ("t where a exists", ("a",), Test(op="exists")),
    ("t where a EXISTS", ("a",), Test(op="exists")),
    ("t where a is absent", ("a",), Test(op="exists", negated=True)),
    ("t where a is missing", ("a",), Test(op="exists", negated=True)),
    ("t where a is absent minded", ("a",), equal("absent minded")),
    ("t where a.b-c.0.d_e is x", ("a", "b-c", 0, "d_e"), equal("x")),
    ("t where -a is x", ("-a",), equal("x")),
    ("t where brand_and_model equals Airbus", ("brand_and_model",), equal("Airbus")),
    ("t where a is cats or dogs", ("a",), equal("cats or dogs")),
    ("t where a is not found", ("a",), equal("not found")),
    ("t where a is greater than 4", ("a",), equal("greater than 4")),
    ('t where a equals "x"', ("a",), equal('"x"')),
    ("t where a is pleased with result", ("a",), equal("pleased with result")),
    ("t where a is b where c is d", ("a",), equal("b where c is d")),
    ("t where a is b is c", ("a",), equal("b is c")),
    ("t where is equals x", ("is",), equal("x")),
    ("t  where\ta\tequals   x  ", ("a",), equal("x")),
]


@pytest.mark.parametrize(("text", "path", "test"), READ)
def test_a_clause(text: str, path: tuple[object, ...], test: Test) -> None:
    assert only(text) == Clause(path=path, test=test)


def test_clauses_are_joined_by_and() -> None:
    where = call("t where a equals 1 and b contains x y and c exists").where
    assert [[each.path for each in clauses] for clauses in where] == [[("a",), ("b",), ("c",)]]
    assert where[0][1].test.value == "x y"


@pytest.mark.parametrize("name", ["lookup_order", "Lookup-2", "where_is_it", "9", "_"])
def test_names_of_tools(name: str) -> None:
    assert call(name) == ToolCall(tool=name)
    assert read_flowproof("assert_no_tool_call", f" {name} ", "f") == NoToolCall(tool=name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "crm/refund",
        "crm.refund",
        "t u",
        "t WHERE a is b",
        "t where",
        "t where a",
        "t where a equals",
        "t where equals x",
        "t where a equals 1 and",
        "t where and a is b",
        "t where a EQUALS 1",
        "t where a[0] is b",
        "t where $.a is b",
        "t where a..b is c",
        "t where a b is c",
        "t where é is c",
        "t where a at least 4",
        "t where a matches [",
        "t where a matches (?=x)",
        "t where a is b contains c",
        "t where a b exists",
        "t once",
        "t where a is b equals",
    ],
)
def test_where_the_grammar_stops(text: str) -> None:
    with pytest.raises(NotFlowproof):
        call(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [("t where a matches [[:alpha:]]", "within [...]"), ("t where a.01 is x", "'01' in 'a.01' is an item of a list")],
)
def test_what_cannot_be_said_here_is_refused_rather_than_read_otherwise(text: str, why: str) -> None:
    with pytest.raises(FlowError) as caught:
        call(text)
    assert caught.value.place == "f"
    assert why in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("reply contains shipped", "shipped"),
        ("  reply is all good and well ", "all good and well"),
        ('reply contains "shipped" or not', '"shipped" or not'),
        ("reply contains  two  spaces", "two  spaces"),
    ],
)
def test_a_reply_contains_a_text(text: str, wanted: str) -> None:
    test = Test(op="contains", value=wanted, as_text=True)
    assert read_flowproof("assert", text, "f") == Reply(where=((Clause(path=(), test=test),),))


@pytest.mark.parametrize(
    "text", ["reply", "reply contains", "reply contains ", "reply matches x", "Reply contains x", "reply  is x", "x"]
)
def test_what_no_reply_says(text: str) -> None:
    with pytest.raises(NotFlowproof):
        read_flowproof("assert", text, "f")


HOLDS = [
    # clause, holds of, does not hold of
    ("a equals 900", [900, 900.0, "900", "900.0", " 900 ", "9e2"], [901, "x", None, [900], ABSENT]),
    ("a equals 007", [7, "7", "007", 7.0], [70, "07x"]),
    ("a equals 1e3", [1000, "1000"], [1e4]),
    ("a equals true", [True, "true"], [1, "True", False]),
    ("a equals null", [None, "null"], ["", 0, ABSENT]),
    ('a equals ["x",1]', [["x", 1], '["x",1]'], [["x", 2], "x"]),
    ('a equals {"b":1}', [{"b": 1}], [{"b": 2}]),
    ("a equals A", ["A"], ["a", " A", "A "]),
    ("a contains b", [{"b": 1}, ["ab"], "abc", {"x": "b"}], ["B", ["c"], ABSENT]),
    ('a contains "b":1', [{"b": 1}], [{"b": 2}]),
    ("a matches ^[0-9]+$", ["12", 12], ["12\n", "a1", ABSENT]),
    ("a exists", [None, 0, "", []], [ABSENT]),
    ("a is absent", [ABSENT], [None, 0, ""]),
]


@pytest.mark.parametrize(("clause", "yes", "no"), HOLDS)
def test_values_are_compared_as_texts(clause: str, yes: list[object], no: list[object]) -> None:
    where = call(f"t where {clause}").where
    assert [each for each in yes if not satisfies(where, {} if each is ABSENT else {"a": each})] == []
    assert [each for each in no if satisfies(where, {} if each is ABSENT else {"a": each})] == []


def test_a_number_in_a_path_is_an_item_or_a_name() -> None:
    where = call("t where a.0.b is x").where
    assert satisfies(where, {"a": [{"b": "x"}]})
    assert satisfies(where, {"a": {"0": {"b": "x"}}})
    assert not satisfies(where, {"a": [{"b": "y"}, {"b": "x"}]})


WORDS = st.sampled_from("t where a.b equals is and or exists absent contains matches [ ( not reply 0".split())  # noqa: SIM905 - a line of words


@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    for key in ("assert", "assert_tool_call", "assert_no_tool_call"):
        try:
            value = read_flowproof(key, text, "f")
        except (NotFlowproof, FlowError):
            continue
        assert isinstance(value, (ToolCall, NoToolCall, Reply))
