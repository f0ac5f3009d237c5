"""Prose and structure: the same values, both ways, and errors that say where."""

import pytest
from hypothesis import given, strategies as st

from runwright.errors import FlowError
from runwright.flow import NoSideEffect, NoToolCall, Reply, SideEffectMust, ToolCall
from runwright.flow.prose import parse_no_tool_call, parse_reply, parse_tool_call, prose
from runwright.flow.structured import assertion_of


def both(key: str, written: str, form: object) -> None:
    value = assertion_of(key, written, "f")
    assert value == assertion_of(key, form, "f")
    assert assertion_of(key, prose(value).partition(": ")[2], "f") == value


CALLS = [
    ("issue_refund", {"tool": "issue_refund"}),
    ("issue_refund where amount equals 40", {"tool": "issue_refund", "where": {"amount": {"equals": 40}}}),
    ("issue_refund where amount is 40", {"tool": "issue_refund", "where": {"amount": 40}}),
    ("t where name is Ada Lovelace", {"tool": "t", "where": {"name": "Ada Lovelace"}}),
    ('t where code equals "40"', {"tool": "t", "where": {"code": {"equals": "40"}}}),
    ("t where code equals 007", {"tool": "t", "where": {"code": "007"}}),
    ("t where flag equals true", {"tool": "t", "where": {"flag": True}}),
    ("t where left equals null", {"tool": "t", "where": {"left": {"equals": None}}}),
    ("t where note contains broken", {"tool": "t", "where": {"note": {"contains": "broken"}}}),
    ("t where note contains 40", {"tool": "t", "where": {"note": {"contains": 40}}}),
    ("t where id matches ^A-[0-9]+$", {"tool": "t", "where": {"id": {"matches": "^A-[0-9]+$"}}}),
    ("t where id exists", {"tool": "t", "where": {"id": {"exists": True}}}),
    ("t where id is absent", {"tool": "t", "where": {"id": {"absent": True}}}),
    ("t where id is missing", {"tool": "t", "where": {"id": {"exists": False}}}),
    ("t where id does not exist", {"tool": "t", "where": {"id": {"not": {"exists": True}}}}),
    ("t where n greater than 40", {"tool": "t", "where": {"n": {"greater_than": 40}}}),
    ("t where n is at least 40.5", {"tool": "t", "where": {"n": {"at_least": 40.5}}}),
    ("t where n less than 40", {"tool": "t", "where": {"n": {"less_than": 40}}}),
    ("t where n is at most -4", {"tool": "t", "where": {"n": {"at_most": -4}}}),
    ("t where n is not at most 4", {"tool": "t", "where": {"n": {"not": {"at_most": 4}}}}),
    ("t where n >= 40 and m < 2.5", {"tool": "t", "where": {"n": {"at_least": 40}, "m": {"less_than": 2.5}}}),
    ("t where n > -1 and m <= 0", {"tool": "t", "where": {"n": {"greater_than": -1}, "m": {"at_most": 0}}}),
    (
        "t where n = 40 and m == x and k != y",
        {"tool": "t", "where": {"n": 40, "m": "x", "k": {"not": {"equals": "y"}}}},
    ),
    ("t where n not equals 40", {"tool": "t", "where": {"n": {"not": {"equals": 40}}}}),
    ("t where n does not equal 40", {"tool": "t", "where": {"n": {"not": {"equals": 40}}}}),
    ("t where n does not contain x", {"tool": "t", "where": {"n": {"not": {"contains": "x"}}}}),
    ("t where n does not match x", {"tool": "t", "where": {"n": {"not": {"matches": "x"}}}}),
    (
        "t where n at least 1 and n at most 9 and m exists",
        {"tool": "t", "where": {"n": {"at_least": 1, "at_most": 9}, "m": {"exists": True}}},
    ),
    (
        "t where n equals 1 and m equals 2 or n equals 3",
        {"tool": "t", "where": [{"n": 1, "m": 2}, {"n": 3}]},
    ),
    ("t where a.b.0.c equals 1", {"tool": "t", "where": {"a.b[0].c": 1}}),
    ("t where $['a b'].c equals 1", {"tool": "t", "where": {"$['a b'].c": 1}}),
    ('t where s equals "this and that or those"', {"tool": "t", "where": {"s": "this and that or those"}}),
    ("t where s equals 'say \"hi\"'", {"tool": "t", "where": {"s": 'say "hi"'}}),
    ('t where o equals {"a": [1, 2]}', {"tool": "t", "where": {"o": {"equals": {"a": [1, 2]}}}}),
    ("crm/refund.v2", {"tool": "crm/refund.v2"}),
    ('"the tool"', {"tool": "the tool"}),
    ("t once", {"tool": "t", "times": 1}),
    ("t exactly 3 times", {"tool": "t", "times": 3}),
    ("t at least 2 times", {"tool": "t", "at_least": 2}),
    ("t at most 2 times", {"tool": "t", "at_most": 2}),
    (
        "t between 2 and 4 times where n exists",
        {"tool": "t", "at_least": 2, "at_most": 4, "where": {"n": {"exists": True}}},
    ),
    ("t executed", {"tool": "t", "level": "executed"}),
    (
        "t where n equals 1 with result status equals refunded",
        {"tool": "t", "where": {"n": 1}, "result": {"status": "refunded"}},
    ),
    ("t with result contains refunded", {"tool": "t", "result": {"$": {"contains": "refunded"}}}),
]


@pytest.mark.parametrize(("written", "form"), CALLS)
def test_a_call_means_the_same_in_prose_and_in_structure(written: str, form: object) -> None:
    both("assert_tool_call", written, form)


@pytest.mark.parametrize(
    ("key", "written", "form"),
    [
        ("assert_no_tool_call", "t where n equals 1", {"tool": "t", "where": {"n": 1}}),
        ("assert_no_tool_call", "t executed", {"tool": "t", "level": "executed"}),
        ("assert", "reply contains done", {"reply": {"contains": "done"}}),
        ("assert", "reply does not contain done", {"reply": {"not": {"contains": "done"}}}),
        ("assert", "reply matches ^do", {"reply": {"matches": "^do"}}),
        ("assert", "reply contains a and reply exists", {"reply": {"contains": "a", "exists": True}}),
        ("assert", "reply contains a or reply contains b", {"reply": [{"contains": "a"}, {"contains": "b"}]}),
        ("assert_side_effect", "fs_write", {"kind": "fs_write"}),
        ("assert_side_effect", "fs_write out/*.csv", {"kind": "fs_write", "target": "out/*.csv"}),
        (
            "assert_no_side_effect",
            "http_request except POST https://a/b, GET https://c/*",
            {"kind": "http_request", "except": ["POST https://a/b", "GET https://c/*"]},
        ),
        (
            "assert_no_side_effect",
            "fs_delete src/** except src/tmp/**",
            {"kind": "fs_delete", "target": "src/**", "except": ["src/tmp/**"]},
        ),
        ("assert_no_secret_leak", "${ORDER_TOKEN}", ["ORDER_TOKEN"]),
    ],
)
def test_the_others_mean_the_same_too(key: str, written: str, form: object) -> None:
    both(key, written, form)


WRONG = [
    ("", "column 1", "expected a tool's name"),
    ("t u", "column 3", "cannot read 'u'"),
    ("t where", "column 8", "expected a path, found the end"),
    ("t where n", "column 10", "expected a matcher, found the end"),
    ("t where n eq 40", "column 11", "expected a matcher, found 'eq 40'"),
    ("t where n equals", "column 17", "expected a value"),
    ("t where n equals 1 and", "column 23", "joins whole clauses"),
    ("t where n equals a and b", "column 23", "'and' joins whole clauses"),
    ("t where n equals a or b", "column 22", "'or' joins whole clauses"),
    ("t where n >=40", "column 11", "expected a matcher, found '>=40'"),
    ("t where n => 40", "column 11", "expected a matcher"),
    ("t where n > many", "column 13", "a number is needed"),
    ("t where n is not 40", "column 11", "could be a negation or a value"),
    ("t where n greater than many", "column 24", "a number is needed"),
    ("t where n matches [", "column 19", "a regular expression is needed"),
    ('t where n equals "open', "column 18", "the quote is not closed"),
    ('t where n equals "a" b', "column 22", "nothing can follow here"),
    ("t where n exists now", "column 18", "nothing can follow here"),
    ("t where n[*] equals 1", "column 10", "expected a matcher"),
    ("t where $.n[*] equals 1", "column 12", "expected a matcher"),
    ("t WHERE n equals 1", "column 3", "cannot read"),
    ("t where n EQUALS 1", "column 11", "expected a matcher"),
]


@pytest.mark.parametrize(("written", "column", "why"), WRONG)
def test_what_cannot_be_read_is_refused_with_its_column(written: str, column: str, why: str) -> None:
    with pytest.raises(FlowError) as caught:
        parse_tool_call(written, "a.flow.yaml:7: $.steps[1]")
    assert str(caught.value).startswith(f"a.flow.yaml:7: $.steps[1]: {column} of {written!r}: ")
    assert why in caught.value.message
    assert caught.value.hint or "needed" in why


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("assert_tool_call", "t at most 0 times"),
        ("assert_tool_call", "t exactly 0 times"),
        ("assert_tool_call", {"tool": "t", "at_least": 0}),
        ("assert_tool_call", {"tool": "t", "at_least": 3, "at_most": 2}),
        ("assert_tool_call", {"tool": "t", "times": 1, "at_least": 1}),
        ("assert_tool_call", {"tool": "t", "where": {"a": {"matches": "["}}}),
        ("assert_tool_call", {"tool": "t", "where": {"a..b": 1}}),
        ("assert_tool_call", {"tool": "t", "where": {"a[*]": 1}}),
        ("assert_side_effect", "disk_write"),
        ("assert_side_effect", "fs_write except"),
        ("assert_side_effect", "fs_write except , ,"),
        ("assert_side_effect", "fs_write a once where"),
        ("assert_side_effect", "fs_write exactly 0 times"),
        ("assert_side_effect", {"kind": "fs", "at_least": 0}),
        ("assert_side_effect", {"kind": "fs", "at_least": 3, "at_most": 2}),
        ("assert_side_effect", {"kind": "fs", "times": 1, "at_most": 2}),
        ("assert_side_effect", 'fs_write "a\\q"'),
        ("assert_no_side_effect", "fs_write a once where op equals create"),
        ("assert_no_side_effect", "fs_write except "),
        ("assert_no_egress", False),
        ("assert", "the reply contains x"),
        ("assert", "stdout contains x"),
        ("assert", "reply contains a or b"),
    ],
)
def test_what_asserts_nothing_is_refused(key: str, value: object) -> None:
    with pytest.raises(FlowError):
        assertion_of(key, value, "f")


# --- whatever is thrown at it ------------------------------------------------------------------------

WORDS = st.sampled_from(
    "t where n equals is not and or exists absent contains with result does at least 4 \" ' { [ $ $.a most".split()  # noqa: SIM905 - a line of words
)
LINES = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join))


@given(LINES)
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_tool_call, parse_no_tool_call, parse_reply):
        try:
            value = parse(text, "f")
        except FlowError:
            continue
        assert isinstance(value, (ToolCall, NoToolCall, Reply))


NUMBERS = st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
SCALARS = st.one_of(TEXTS, NUMBERS, st.booleans(), st.none())
JSONS = st.recursive(
    SCALARS, lambda each: st.lists(each, max_size=3) | st.dictionaries(TEXTS, each, max_size=3), max_leaves=6
)
PLAIN = st.one_of(
    st.fixed_dictionaries({"equals": JSONS}),
    st.fixed_dictionaries({"contains": TEXTS}),
    st.fixed_dictionaries({"matches": st.sampled_from(["^a+$", "x|y", "\\d{2}", ""])}),
    st.fixed_dictionaries({"exists": st.booleans()}),
    st.sampled_from(["greater_than", "at_least", "less_than", "at_most"]).flatmap(
        lambda op: st.fixed_dictionaries({op: NUMBERS})
    ),
)
MATCHERS = PLAIN | PLAIN.map(lambda each: {"not": each})
PATHS = st.one_of(
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,5}(\.[a-z]{1,3}|\[[0-9]{1,2}\]){0,2}", fullmatch=True),
    st.text("ab .'\"[]\\é", min_size=1, max_size=6).map(
        lambda name: "$['" + name.replace("\\", "\\\\").replace("'", "\\'") + "']"
    ),
)
CLAUSES = st.dictionaries(PATHS, MATCHERS, min_size=1, max_size=3)
WHERE = CLAUSES | st.lists(CLAUSES, min_size=1, max_size=3)
TOOLS = st.one_of(st.from_regex(r"[A-Za-z][A-Za-z0-9_./:-]{0,8}[A-Za-z0-9]", fullmatch=True), TEXTS.filter(bool))


@given(TOOLS, st.none() | WHERE, st.none() | WHERE, st.none() | st.integers(1, 5))
def test_structure_to_prose_and_back_is_the_same(tool: str, where: object, result: object, times: int | None) -> None:
    given_form = {"tool": tool, "where": where, "result": result, "times": times}
    form = {key: value for key, value in given_form.items() if value is not None}
    value = assertion_of("assert_tool_call", form, "f")
    assert parse_tool_call(prose(value).partition(": ")[2], "f") == value


def test_effects_keep_their_kind_and_target() -> None:
    must = SideEffectMust(kind="http_request", target="POST https://a/b")
    assert assertion_of("assert_side_effect", prose(must).partition(": ")[2], "f") == must
    none = NoSideEffect(kind="db_change", excepted=("orders",))
    assert assertion_of("assert_no_side_effect", prose(none).partition(": ")[2], "f") == none
