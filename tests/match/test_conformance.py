"""What a matcher must answer where other tools were seen to be green or red wrongly: which case is tested where.

A case is red or green as a table of such failures says, except that here nothing that is merely near is ever served:
3 (all requests drifted slightly) and 4 (a probe that is never made) are red.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from runwright.match import Miss
from runwright.trace.model import ModelRequest
from tests.match.build import A, B, ask, exchange, matcher, tool

TESTS = Path(__file__).parents[1]

CASES: dict[str, tuple[str, ...]] = {
    "1 one message, the document only in the system prompt, reversed": (
        "match/test_order.py::test_thirty_requests_that_differ_only_in_the_system_prompt_replayed_in_reverse",
        "e2e/test_rivals.py::test_green",
    ),
    "2 a near match at the cursor, the exact one later": (
        "match/test_order.py::test_a_near_match_at_the_cursor_is_passed_over",
        "match/test_order.py::test_an_equal_exchange_further_on_beats_one_that_is_equal_but_for_volatile_values",
        "e2e/test_rivals.py::test_green",
    ),
    "3 all drifted slightly, the last first": (
        "match/test_conformance.py::test_3_nothing_near_is_served_and_nothing_is_shuffled",
        "match/test_difference.py::test_the_last_request_first_is_nearest_to_its_own_recording",
        "e2e/test_rivals.py::test_red",
    ),
    "4 a start-up probe that is never made": (
        "match/test_order.py::test_an_extra_call_is_a_miss_and_a_missing_one_is_left_over",
        "e2e/test_rivals.py::test_red",
    ),
    "8 tools in another order, a volatile id in the metadata": (
        "match/test_normal.py::test_what_means_the_same_matches",
        "match/test_conformance.py::test_8_metadata_with_a_fresh_id_agrees_and_with_a_given_one_does_not",
        "e2e/test_rivals.py::test_green",
    ),
    "9 temperature or a tool's schema edited, a time-out edited": (
        "match/test_normal.py::test_what_the_model_is_conditioned_on_is_compared",
        "e2e/test_openai_client.py::test_red_for",
        "e2e/test_rivals.py::test_red",
        "e2e/test_rivals.py::test_green",
    ),
    "10 three parallel calls in another order, then a fourth": (
        "match/test_order.py::test_parallel_branches_come_in_any_order",
        "replay/test_sdk.py::test_parallel_tool_calls_whose_results_come_in_another_order",
        "e2e/test_openai_client.py::test_the_mere_order_of_two_parallel_results_is_no_difference",
        "e2e/test_rivals.py::test_green",
        "e2e/test_rivals.py::test_red",
    ),
    "11 two sequential tools exchanged": (
        "match/test_order.py::test_sequential_calls_keep_their_order",
        "e2e/test_rivals.py::test_red",
    ),
    "15 an edit deep in a long prompt": (
        "match/test_difference.py::test_an_edit_deep_in_a_long_prompt_is_shown_with_its_surroundings",
        "e2e/test_rivals.py::test_red",
    ),
    "18 one request recorded three times, replayed four times": (
        "match/test_order.py::test_identical_requests_are_served_in_recorded_order_and_then_no_more",
        "e2e/test_rivals.py::test_green",
        "e2e/test_rivals.py::test_red",
    ),
    "19 the last call is never made": (
        "match/test_order.py::test_an_extra_call_is_a_miss_and_a_missing_one_is_left_over",
        "e2e/test_openai_client.py::test_red_for_a_missing_call",
        "e2e/test_rivals.py::test_red",
    ),
    "20 one body, streamed and not": (
        "match/test_normal.py::test_streamed_and_not_are_two_recordings",
        "replay/test_sdk.py::test_a_streamed_request_is_not_served_a_buffered_recording",
        "e2e/test_rivals.py::test_green",
        "e2e/test_rivals.py::test_threads_stream_and_do_not_at_once",
    ),
    "21 stream helpers, asynchronous clients and threads, the server that answered gone": (
        "e2e/test_openai_client.py::test_green_with_no_key",
        "e2e/test_anthropic_client.py::test_green_with_no_key_and_word_for_word",
        "e2e/test_rivals.py::test_eight_at_once_in_another_order_each_get_their_own_answer",
        "e2e/test_rivals.py::test_threads_stream_and_do_not_at_once",
    ),
    "22 a text and one text block": (
        "match/test_normal.py::test_what_means_the_same_matches",
        "e2e/test_openai_client.py::test_a_string_is_one_text_block",
        "e2e/test_rivals.py::test_green",
    ),
    "eight at once in another order": (
        "match/test_order.py::test_any_order_of_independent_requests_gives_each_its_own_answer",
        "replay/test_sdk.py::test_eight_at_once",
        "e2e/test_rivals.py::test_eight_at_once_in_another_order_each_get_their_own_answer",
    ),
    "a word, a description, the model, a call more": (
        "match/test_mutation.py::test_any_one_leaf_changed_is_a_miss_that_names_it",
        "e2e/test_openai_client.py::test_red_for",
        "e2e/test_anthropic_client.py::test_red_for",
        "e2e/test_rivals.py::test_red",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_case_has_its_tests(case: str) -> None:
    for name in CASES[case]:
        path, _, function = name.partition("::")
        tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
        assert function in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}, name


@pytest.mark.parametrize("number", [1, 2, 3, 4, 8, 9, 10, 11, 15, 18, 19, 20, 22])
def test_a_case_that_the_table_sends_to_the_real_path_is_there(number: int) -> None:
    """The parametrised tests name their cases by number."""
    text = (TESTS / "e2e" / "test_rivals.py").read_text(encoding="utf-8")
    assert f'"{number}: ' in text


def test_3_nothing_near_is_served_and_nothing_is_shuffled() -> None:
    asked = [f"{word} is the answer to this?" for word in ("Who", "What", "Why")]
    matches = matcher(*(exchange(f"m{n}", ask(text)) for n, text in enumerate(asked, 1)))
    answers = [matches.serve(ask(f"{text} Please."), False) for text in reversed(asked)]
    assert all(isinstance(each, Miss) for each in answers)
    first = answers[0]
    assert isinstance(first, Miss)
    assert (first.kind, first.nearest, first.later) == ("differs", "m3", False)
    assert (matches.served, matches.left_over()) == ((), ("m1", "m2", "m3"))


def test_8_metadata_with_a_fresh_id_agrees_and_with_a_given_one_does_not() -> None:
    def request(id: str, *names: str) -> ModelRequest:
        return ask("go", tools=tuple(map(tool, names)), parameters={"metadata": {"run": id}})

    recorded = exchange("m1", request(A, "a", "b"))
    assert not isinstance(matcher(recorded).serve(request(B, "b", "a"), False), Miss)
    found = matcher(recorded, given=(A,)).serve(request(B, "b", "a"), False)
    assert isinstance(found, Miss)
    assert [each.path for each in found.differences] == ["$.request.parameters.metadata.run"]
