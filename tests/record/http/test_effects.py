"""Which requests and connections are effects: each rule in the case that it is for and in the one beside it."""

from __future__ import annotations

import pytest

from runwright.record.http import Connection, Exchange, HttpEffects, Seen, http_effects
from runwright.record.http.connection import connections_of
from runwright.record.http.model import Content
from runwright.record.observe.journal import Connection as Met, Log, Network
from runwright.trace.model import SideEffect

SHOP = "https://shop.example/orders/4711"
ADDRESS = "203.0.113.7"


def request(method: str = "POST", url: str = SHOP, status: int | None = 200, **more: object) -> Exchange:
    given = {"keys": (), "via": "hooks", "at": 11.0, "since": 10.9, "until": 12.0, **more}
    return Exchange(method, url, status=status, **given)  # type: ignore[arg-type]


def connection(
    t: float = 11.0,
    address: str = ADDRESS,
    port: int = 443,
    name: str = "",
    protocol: str = "tcp",
    allowed: bool = True,
) -> Connection:
    return Connection(t, protocol, address, port, name, allowed)


def found(*exchanges: Exchange, connections: list[Connection] | None = None, **more: object) -> HttpEffects:
    names = {"shop.example": frozenset((ADDRESS, "2001:db8::7"))}
    seen = Seen(exchanges, more.pop("names", names), **more.pop("seen", {}))  # type: ignore[arg-type]
    return http_effects(seen, connections, began=10.0, **more)  # type: ignore[arg-type]


def effects(*exchanges: Exchange, **more: object) -> list[SideEffect]:
    return [each.side_effect for each in found(*exchanges, **more).effects]


# --- requests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY", "BREW"])
@pytest.mark.parametrize("status", [200, 201, 204, 302, 307, 500, 503, None])
def test_a_request_that_may_have_changed_something_is_an_effect(method: str, status: int | None) -> None:
    (effect,) = effects(request(method, status=status))
    assert (effect.kind, effect.op, effect.target) == ("http_request", method, SHOP)
    assert effect.detail.get("status") == status
    assert effect.detail.get("answer") == (None if status else "none")
    assert effect.detail["template"] == "https://shop.example/orders/{id}"
    assert effect.detail["via"] == "hooks"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("status", [200, 404, 500, None])
def test_safe_methods_are_none(method: str, status: int | None) -> None:
    assert found(request(method, status=status)) == HttpEffects((), {"safe request": 1}, (), False)


@pytest.mark.parametrize("status", [400, 401, 404, 409, 422, 429, 499])
def test_a_refusal_is_none(status: int) -> None:
    assert found(request(status=status)).counts == {"refused request": 1}


def test_a_connection_that_became_another_protocol_is_an_effect() -> None:
    (effect,) = effects(request("GET", status=101))
    assert (effect.op, effect.detail["status"]) == ("GET", 101)


@pytest.mark.parametrize("given", ["http://127.0.0.1:8080", "http://localhost:8080/v1", "127.0.0.1:8080", 8080])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_stand_ins_are_none(given: str | int, host: str) -> None:
    served, other = request(url=f"http://{host}:8080/v1/messages"), request(url=f"http://{host}:8081/v1/messages")
    assert found(served, stand_ins=[given]).counts == {"stand-in": 1}
    assert len(effects(other, stand_ins=[given])) == 1


def test_a_stand_in_is_no_other_host() -> None:
    assert effects(request(url="http://evil.example:8080/"), stand_ins=["http://127.0.0.1:8080"])
    assert effects(request(url="http://127.0.0.1.evil.example:8080/"), stand_ins=["http://127.0.0.1:8080"])
    assert not effects(request(url="https://mcp.example/rpc"), stand_ins=["https://mcp.example"])


def test_what_is_kept_of_bodies() -> None:
    one, none = Content(digest="blake3:00"), Content(unknown="not text")
    (effect,) = effects(request(request=one, response=none))
    assert effect.detail["request"] == "blake3:00"
    assert effect.detail["response_unknown"] == "not text"
    assert "response" not in effect.detail


def test_the_names_in_a_query_are_in_the_template_alone() -> None:
    (effect,) = effects(request(keys=("state", "page 2")))
    assert effect.target == SHOP
    assert effect.detail["template"] == "https://shop.example/orders/{id}?page 2&state"


def test_times_and_ids() -> None:
    told = found(request(at=12.5, since=12.5), request("PUT", at=11.0), first=7).effects
    assert [(each.id, each.t, each.side_effect.op) for each in told] == [("e7", 1.0, "PUT"), ("e8", 2.5, "POST")]


# --- connections --------------------------------------------------------------------------------


def test_a_connection_by_itself_is_an_effect() -> None:
    told = effects(
        connections=[connection(), connection(protocol="udp", port=53), connection(name="db.example", port=5432)]
    )
    assert [(each.kind, each.op, each.target) for each in told] == [
        ("http_request", "connect", "tcp://203.0.113.7:443"),
        ("http_request", "connect", "udp://203.0.113.7:53"),
        ("http_request", "connect", "tcp://db.example:5432"),
    ]
    assert effects(connections=[connection(address="2001:db8::1")])[0].target == "tcp://[2001:db8::1]:443"


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ({}, connection()),
        ({}, connection(address="2001:db8:0::7")),
        ({}, connection(address="::ffff:203.0.113.7")),
        ({}, connection(address="198.51.100.9", name="Shop.example.")),
        ({"theirs": ("198.51.100.9", 443)}, connection(address="198.51.100.9")),
        ({"theirs": ("127.0.0.1", 3128)}, connection(address="127.0.0.1", port=3128)),
        ({"status": None, "error": "ConnectError"}, connection()),
    ],
)
def test_a_request_explains_its_connections(theirs: dict[str, object], told: Connection) -> None:
    for method in ("POST", "GET"):
        result = found(request(method, **theirs), connections=[told])
        assert result.counts["explained connection"] == 1
        assert len(result.effects) == (method == "POST")
        assert result.observed


@pytest.mark.parametrize(
    "told",
    [
        connection(address="198.51.100.9"),
        connection(port=8443),
        connection(t=9.0),  # before there was a request
        connection(t=12.5),  # after its answer had begun
        connection(address="198.51.100.9", name="evil.example"),
        connection(protocol="udp"),
    ],
)
def test_and_no_other(told: Connection) -> None:
    assert [each.op for each in effects(request("GET"), connections=[told])] == ["connect"]


def test_no_more_connections_are_explained_than_requests_can_have_made() -> None:
    """Two programs, of which one is no Python, at one place: that is two connections, and one request that was seen."""
    twice = connection()._replace(times=2)
    one, other = request("GET", ours=("10.0.0.1", 40000)), request("GET", ours=("10.0.0.1", 40001))
    (effect,) = effects(one, connections=[twice])
    assert (effect.op, effect.target) == ("connect", "tcp://203.0.113.7:443")
    assert effects(one, one, connections=[twice])  # on one connection
    assert found(one, other, connections=[twice]).counts == {"safe request": 2, "explained connection": 2}
    assert not effects(one._replace(ours=None), one._replace(ours=None), connections=[twice])
    (effect,) = effects(connections=[twice])
    assert effect.detail == {"template": "tcp://203.0.113.7:443", "times": 2}


def test_what_the_proxy_saw_explains_no_connection_of_the_agents_own() -> None:
    assert [each.op for each in effects(request("GET", via="proxy"), connections=[connection()])] == ["connect"]


def test_stand_ins_and_this_machine_by_its_names() -> None:
    given = {"stand_ins": ["http://127.0.0.1:8080"]}
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert found(connections=[connection(address=address, port=8080)], **given).counts == {"stand-in": 1}
        assert effects(connections=[connection(address=address, port=8081)], **given)
    asked = request("GET", "http://localhost:9000/")
    assert not effects(asked, connections=[connection(address="::1", port=9000)])


def test_asking_what_a_name_means() -> None:
    asked = connection(address="10.0.0.2", port=53, protocol="udp")
    assert found(connections=[asked], name_servers=["10.0.0.2"]).counts == {"name lookup": 1}
    assert found(connections=[connection(protocol="dns", address="", port=0, name="a.example")]).effects == ()
    assert effects(connections=[asked])
    assert effects(connections=[asked._replace(port=443)], name_servers=["10.0.0.2"])


def test_what_was_refused_is_none_here() -> None:
    assert found(connections=[connection(allowed=False)]) == HttpEffects((), {}, (), True)


def test_a_request_that_never_got_out_is_none() -> None:
    lost = request(status=None, error="ConnectError")
    for connections in ([], [connection(allowed=False)], [connection(t=12.5)], [connection(port=80)]):
        assert found(lost, connections=connections).counts["unsent request"] == 1
    assert effects(lost)  # nobody watched connections
    assert effects(lost, connections=[connection()])
    assert effects(lost, connections=[connection(t=2.0)])[-1].op == "POST"  # one that was kept open
    assert effects(lost._replace(ours=("10.0.0.1", 40000)), connections=[])


def test_a_request_that_the_proxy_refused_is_none() -> None:
    refused = {"seen": {"proxied": True, "refused": ("shop.example:443",)}}
    assert found(request(status=None), **refused).counts == {"unsent request": 1}
    assert effects(request(status=None), seen={"proxied": True, "refused": ("shop.example:80",)})
    assert effects(request(status=None), seen={"proxied": True}, connections=[])


# --- both ---------------------------------------------------------------------------------------


def test_what_hook_and_proxy_saw_is_told_once() -> None:
    hooked = request(ours=("127.0.0.1", 40000), theirs=("127.0.0.1", 3128))
    proxied = request(via="proxy", at=11.1, since=11.1, until=11.9, theirs=("127.0.0.1", 40000))
    assert [each.detail["via"] for each in effects(hooked, proxied)] == ["hooks"]
    assert len(effects(hooked, hooked._replace(ours=("127.0.0.1", 40001)), proxied)) == 2
    assert len(effects(hooked, proxied, proxied)) == 2
    assert len(effects(hooked, proxied._replace(theirs=("127.0.0.1", 40002)))) == 2
    assert len(effects(hooked, proxied._replace(at=12.1))) == 2
    assert len(effects(hooked, proxied._replace(method="PUT"))) == 2
    assert len(effects(hooked._replace(ours=None), proxied)) == 1
    assert [each.detail["via"] for each in effects(proxied)] == ["proxy"]


def test_where_no_service_answered_the_proxys_own_answer_is_none() -> None:
    hooked = request(status=502, response=Content(digest="blake3:00"))
    proxied = request(via="proxy", at=11.1, since=11.1, status=None)
    (effect,) = effects(hooked, proxied)
    assert effect.detail == {"template": "https://shop.example/orders/{id}", "via": "hooks", "answer": "none"}


def test_something_else_than_http_through_the_proxy() -> None:
    raw = request("CONNECT", "tcp://db.example:5432", None, via="proxy", raw=True)
    (effect,) = effects(raw, seen={"proxied": True}, connections=[])
    assert (effect.op, effect.target, effect.detail) == (
        "connect", "tcp://db.example:5432", {"template": "tcp://db.example:5432", "via": "proxy"},
    )  # fmt: skip


def test_faults_hide_requests() -> None:
    (fault,) = found(seen={"faults": ("_begun: TypeError",)}).faults
    assert (fault.id, fault.kind, fault.hides, fault.detail) == (
        "f1", "observer_failed", ("http_request",), "requests may be missing: _begun: TypeError",
    )  # fmt: skip


# --- from a run's log ---------------------------------------------------------------------------


def contact(protocol: str = "tcp", verdict: str = "allowed", port: int = 443, times: int = 1) -> Met:
    return Met(11.0, protocol, verdict, "127.0.0.1" if verdict == "local" else ADDRESS, port, "", times)


@pytest.mark.parametrize(("how", "told"), [("apart", [8080]), ("shared", [8080, 9000]), ("observed", [8080, 9000])])
def test_what_listens_within_a_network_apart_is_of_the_run(how: str, told: list[int]) -> None:
    met = (contact(verdict="local", port=8080), contact(verdict="local", port=9000))
    made = connections_of(Log(network=Network(how, (), ""), connections=met), (8080,))
    assert made is not None
    assert [each.port for each in made] == told


def test_a_service_of_the_runs_own_is_none() -> None:
    own, allowed = request(url="http://localhost:9000/a"), request(url="http://127.0.0.1:8080/a")
    assert found(own, allowed, apart=(8080,)).counts == {"own service": 1}
    assert len(effects(own, allowed)) == 2
    assert effects(request(), apart=(8080,))


def test_what_a_log_tells_of_connections() -> None:
    met = (contact(verdict="blocked"), contact("udp", times=3), contact("unix"), contact("listen"), contact("dns"))
    made = connections_of(Log(network=Network("observed", (), ""), connections=met))
    assert made is not None
    assert [(each.protocol, each.allowed, each.times) for each in made] == [
        ("tcp", False, 1), ("udp", True, 3), ("dns", True, 1),
    ]  # fmt: skip
    assert connections_of(Log(connections=met)) is None
