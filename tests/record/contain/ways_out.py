"""Ways to reach out of a run, and what must go on working in it: each is run by its name, and says how it went.

What stands above each is how it goes and what is told of it, in a network of its own and, where that differs, in one
that is shared. How it goes is `ok`, an errno's name, or whatever the way returns. Nothing here leaves the machine: the
addresses are those of the outer network that the tests make, where a server listens on every one of them.
"""

import array
import contextlib
import ctypes
import errno
import json
import multiprocessing
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import NamedTuple

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
OUT = "203.0.113."
HTTPS = 443
HERE = "127.0.0.1"


class Way(NamedTuple):
    do: Callable[[], object]
    goes: str
    told: tuple[str, ...]
    shared: str
    shared_told: tuple[str, ...]


WAYS: dict[str, Way] = {}


def way(
    goes: str, *told: str, shared: str | None = None, shared_told: tuple[str, ...] | None = None
) -> Callable[[Callable[[], object]], Callable[[], object]]:
    def keep(do: Callable[[], object]) -> Callable[[], object]:
        other = goes if shared is None else shared
        WAYS[do.__name__] = Way(do, goes, told, other, told if shared_told is None else shared_told)
        return do

    return keep


def call(number: int, *arguments: object) -> int:
    done = int(libc.syscall(ctypes.c_long(number), *arguments))
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return done


def how(do: Callable[[], object]) -> str:
    """How something goes."""
    try:
        found = do()
    except socket.gaierror as error:
        return f"gaierror {error.errno}"
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    except Exception as error:  # noqa: BLE001 - one way that goes wrong is told as that way, and the others go on
        return f"{type(error).__name__}: {error}"
    return "ok" if found is None else str(found)


def address(family: int, host: str, port: int) -> bytes:
    """A `sockaddr`."""
    if family == socket.AF_INET:
        return struct.pack("=HH", family, socket.htons(port)) + socket.inet_aton(host) + bytes(8)
    return struct.pack("=HHI", family, socket.htons(port), 0) + socket.inet_pton(family, host) + bytes(4)


def sent_to(destinations: list[tuple[str, int]], number: int) -> None:
    """Send a byte to each, by sendmsg or sendmmsg, as a C program would."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    data = ctypes.create_string_buffer(b"x")
    parts = ctypes.create_string_buffer(struct.pack("QQ", ctypes.addressof(data), 1))
    names = [ctypes.create_string_buffer(address(socket.AF_INET, *each), 16) for each in destinations]
    heads = b"".join(
        struct.pack("QI4xQQQQi4x", ctypes.addressof(each), 16, ctypes.addressof(parts), 1, 0, 0, 0)
        + (bytes(8) if number == 307 else b"")
        for each in names
    )
    buffer = ctypes.create_string_buffer(heads)
    if number == 307:
        call(number, made.fileno(), buffer, len(names), 0)
    else:
        call(number, made.fileno(), buffer, 0)


def query(name: str) -> bytes:
    """A question about a name's address."""
    labels = b"".join(bytes((len(each),)) + each.encode() for each in name.split("."))
    return struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", 1, 1)


def in_a_child(do: Callable[[], object]) -> str:
    """How something goes in a process of its own."""
    readable, writable = os.pipe()
    if os.fork() == 0:
        os.write(writable, how(do).encode())
        os._exit(0)
    os.wait()
    os.close(writable)
    with os.fdopen(readable) as said:
        return said.read()


# What leads out.


@way("ENETUNREACH", f"{OUT}1:443")
def tcp() -> None:
    socket.create_connection((OUT + "1", HTTPS))


@way("ENETUNREACH", f"{OUT}2:443")
def tcp_that_does_not_wait() -> None:
    made = socket.socket()
    made.setblocking(False)
    made.connect((OUT + "2", HTTPS))


@way("ENETUNREACH", "[2001:db8::3]:443")
def tcp_6() -> None:
    socket.socket(socket.AF_INET6).connect(("2001:db8::3", HTTPS))


@way("ENETUNREACH", f"{OUT}4:443")
def tcp_mapped() -> None:
    socket.socket(socket.AF_INET6).connect((f"::ffff:{OUT}4", HTTPS))


@way("ENETUNREACH", f"udp://{OUT}5:9", shared="EACCES", shared_told=())
def udp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", (OUT + "5", 9))


@way("ENETUNREACH", f"udp://{OUT}6:9", shared="EACCES", shared_told=())
def udp_connected() -> None:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.connect((OUT + "6", 9))
    made.send(b"x")


@way("ENETUNREACH", "udp://[2001:db8::7]:9", shared="EACCES", shared_told=())
def udp_6() -> None:
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("2001:db8::7", 9))


@way("ENETUNREACH", f"udp://{OUT}8:9", shared="EACCES", shared_told=())
def udp_sendmsg() -> None:
    sent_to([(OUT + "8", 9)], 46)


@way("ENETUNREACH", f"udp://{OUT}9:9", f"udp://{OUT}10:9", shared="EACCES", shared_told=())
def udp_sendmmsg() -> None:
    sent_to([(OUT + "9", 9), (OUT + "10", 9)], 307)


@way("gaierror -2", "asked.example.com")
def name() -> None:
    socket.getaddrinfo("asked.example.com", HTTPS)


@way("gaierror -2", "seen.example.com")
def name_that_there_is() -> str:
    """Left alone, it is told by its name."""
    return socket.create_connection(("Seen.example.com", HTTPS)).recv(100).decode()


@way("ENETUNREACH", f"udp://{OUT}12:53", "packet.example.com", shared="EACCES", shared_told=())
def name_by_packet() -> None:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.sendto(query("packet.example.com"), (OUT + "12", 53))


@way("ENETUNREACH", f"{OUT}13:53")
def name_by_connection() -> None:
    socket.create_connection((OUT + "13", 53))


@way("ENOTSUP", f"{OUT}14:443", shared_told=())
def fast_open() -> None:
    socket.socket().sendto(b"x", 0x20000000, (OUT + "14", HTTPS))


@way("ENOTSUP", f"{OUT}15:443", shared_told=())
def fast_open_sendmsg() -> None:
    socket.socket().sendmsg([b"x"], [], 0x20000000, (OUT + "15", HTTPS))


@way("ENETUNREACH", f"{OUT}16:443")
def fast_open_option() -> None:
    made = socket.socket()
    made.setsockopt(socket.IPPROTO_TCP, 30, 1)  # TCP_FASTOPEN_CONNECT: connect only remembers where to
    made.connect((OUT + "16", HTTPS))
    made.send(b"x")


@way("ENOSYS")
def io_uring() -> None:
    call(425, 8, ctypes.create_string_buffer(120))


@way("EPERM", "raw socket")
def raw() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


@way("EPROTONOSUPPORT", "icmp socket")
def ping() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)


@way("EAFNOSUPPORT", "packet socket")
def packet() -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


@way("EAFNOSUPPORT", "vsock socket")
def vsock() -> None:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)


@way("EAFNOSUPPORT", "alg socket")
def kernel_crypto() -> None:
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)


@way("EPROTONOSUPPORT", "sctp socket")
def sctp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)


@way("EPROTONOSUPPORT", "dccp socket")
def dccp() -> None:
    socket.socket(socket.AF_INET, 6, 33)


@way("ENETUNREACH", f"{OUT}24:443")
def mptcp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).connect((OUT + "24", HTTPS))


@way("EPROTONOSUPPORT")
def netlink_of_others() -> None:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)


@way("EACCES", "unix:@world@/outside")
def unix() -> None:
    socket.socket(socket.AF_UNIX).connect(os.environ["WORLD"] + "/outside")


@way("EACCES", "unix:@world@/outside")
def unix_by_a_link() -> None:
    path = f"link-{os.getpid()}"
    os.symlink(os.environ["WORLD"] + "/outside", path)
    socket.socket(socket.AF_UNIX).connect(path)


@way("ECONNREFUSED", shared="EACCES", shared_told=("unix:@runwright-outside-@uid@",))
def unix_abstract() -> None:
    socket.socket(socket.AF_UNIX).connect(f"\0runwright-outside-{os.environ['MARK']}")


@way("EACCES", "unix datagram socket")
def unix_datagram() -> None:
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", os.environ["WORLD"] + "/datagrams")


@way("EACCES", "unix datagram socket")
def unix_raw() -> None:
    socket.socket(socket.AF_UNIX, socket.SOCK_RAW).sendto(b"x", os.environ["WORLD"] + "/datagrams")


@way("EACCES")
def unix_datagram_of_a_pair() -> None:
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", os.environ["WORLD"] + "/datagrams")


@way("ok")
def pairs_of_the_run() -> None:
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        socket.socketpair(socket.AF_UNIX, kind)


@way("ENOTSUP")
def pair_of_others() -> None:
    call(53, 30, socket.SOCK_STREAM, 0, ctypes.create_string_buffer(8))  # of TIPC, which has them too


@way("ENETUNREACH", f"{OUT}30:443")
def child_of_a_child() -> str:
    source = f"import socket; socket.create_connection(('{OUT}30', 443))"
    shell = f'{sys.executable} -I -S -c "{source}" 2>&1 | tail -1'
    said = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False).stdout
    return "ENETUNREACH" if "Network is unreachable" in said else said


@way("ENETUNREACH", f"{OUT}31:443")
def double_fork() -> str:
    def again() -> str:
        os.setsid()
        return in_a_child(lambda: socket.create_connection((OUT + "31", HTTPS)))

    return in_a_child(again)


@way("EBADF")
def inherited() -> None:
    socket.socket(fileno=os.dup(int(os.environ["INHERITED"]))).send(b"x")


@way("refused", f"{OUT}33:443")
def while_it_execs() -> str:
    """Connections of one thread while another starts programs."""
    going = True

    def start() -> None:
        while going:
            subprocess.run(["true"], check=False)

    thread = threading.Thread(target=start)
    thread.start()
    found = {how(lambda: socket.create_connection((OUT + "33", HTTPS))) for _ in range(200)}
    going = False
    thread.join()
    return "refused" if found == {"ENETUNREACH"} else str(found)


def flipped(one: bytes, other: bytes, made: Callable[[], socket.socket], times: int) -> dict[str, int]:
    """Connections to an address that a thread exchanges for another all the time."""
    buffer = ctypes.create_string_buffer(max(one, other, key=len), max(len(one), len(other)))
    size = len(buffer)
    going = True

    def flip() -> None:
        while going:
            ctypes.memmove(buffer, one, len(one))
            ctypes.memmove(buffer, other, len(other))

    thread = threading.Thread(target=flip)
    thread.start()
    found: dict[str, int] = {}
    for _ in range(times):
        with made() as each:
            code = libc.connect(each.fileno(), buffer, min(size, 16) if size == 16 else size)
            went = "ok" if code == 0 else errno.errorcode[ctypes.get_errno()]
            found[went] = found.get(went, 0) + 1
    going = False
    thread.join()
    return found


@way("never")
def exchanged_address() -> str:
    """Half of the time the address is allowed when it is looked at: what gets through is counted outside."""
    good = address(socket.AF_INET, HERE, int(os.environ["PORT"]))
    found = flipped(good, address(socket.AF_INET, OUT + "34", HTTPS), socket.socket, 2000)
    return "never" if set(found) <= {"ok", "ENETUNREACH"} else str(found)


@way("never")
def exchanged_descriptor() -> str:
    """An internet socket's number is given to a Unix one, and its address exchanged with it."""
    inet = address(socket.AF_INET, HERE, int(os.environ["CLOSED"]))
    path = os.environ["WORLD"].encode() + b"/outside\0"
    path = struct.pack("=H", socket.AF_UNIX) + path
    one, other, used = socket.socket(), socket.socket(socket.AF_UNIX), socket.socket()
    number = used.fileno()
    going = True

    def exchange() -> None:
        while going:
            os.dup2(one.fileno(), number)
            os.dup2(other.fileno(), number)

    thread = threading.Thread(target=exchange)
    thread.start()

    class Same:
        def __enter__(self) -> socket.socket:
            return used

        def __exit__(self, *_: object) -> None:
            pass

    found = flipped(inet.ljust(len(path), b"\0"), path, Same, 1000)  # type: ignore[arg-type]
    going = False
    thread.join()
    return "never" if "ok" not in found else str(found)


@way("ENETUNREACH", f"{OUT}36:443")
def connected_anew() -> None:
    """A socket that was connected to where it may be, let go and connected again."""
    made = socket.create_connection((HERE, int(os.environ["PORT"])))
    assert libc.connect(made.fileno(), bytes(16), 16) == 0
    made.connect((OUT + "36", HTTPS))


@way("ENETUNREACH", f"{OUT}37:3128")
def proxy() -> str:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{OUT}37:3128"}))
    try:
        opener.open("http://anything.example.com/", timeout=5)
    except OSError as error:
        return errno.errorcode.get(getattr(error, "reason", error).errno, str(error))
    return "ok"


@way("EPERM")
def trace() -> None:
    call(101, 0x4206, int(os.environ["OUTER"]), 0, 0)  # PTRACE_SEIZE: it goes on


@way("refused")
def descriptors_of_others() -> str:
    outer = os.environ["OUTER"]
    links = [
        how(lambda: os.open(f"/proc/{outer}/fd/0", os.O_RDONLY)),
        how(lambda: os.open(f"/proc/{outer}/mem", os.O_RDWR)),
    ]
    held = os.pidfd_open(int(outer))
    links.append(how(lambda: call(438, held, 0, 0)))
    return "refused" if set(links) <= {"EACCES", "EPERM"} else str(links)


@way("refused")
def network_of_others() -> str:
    opened = how(lambda: call(308, os.open(f"/proc/{os.environ['OUTER']}/ns/net", os.O_RDONLY), 0x40000000))
    return "refused" if opened in ("EACCES", "EPERM") else opened


@way("ENETUNREACH", f"{OUT}41:443")
def network_of_its_own() -> str:
    return in_a_child(_apart)


def _apart() -> None:
    if libc.unshare(0x10000000 | 0x40000000):
        raise OSError(ctypes.get_errno(), "no namespace")
    socket.create_connection((OUT + "41", HTTPS))


@way("EPERM")
def words_into_a_terminal() -> None:
    call(16, 0, 0x5412, ctypes.create_string_buffer(b"x"))


@way("ENOSYS")
def key_of_a_name() -> None:
    call(249, b"dns_resolver", b"key.example.com", b"", 0)


@way("ECONNREFUSED")
def other_port_of_the_loopback() -> None:
    socket.create_connection((HERE, int(os.environ["SINK"])))


@way("ENETUNREACH", "api.example.com:80")
def another_port_of_what_is_allowed() -> None:
    socket.create_connection((OUT + "101", 80))


# What is allowed, and what goes on within a run.


def fetched(host: str) -> str:
    with urllib.request.urlopen(f"http://{host}:{os.environ['PORT']}/", timeout=10) as answer:
        return str(answer.read().decode())


@way("stand-in")
def stand_in() -> str:
    return fetched(HERE)


@way("stand-in")
def stand_in_by_name() -> str:
    return fetched("localhost")


@way("stand-in")
def stand_in_without_waiting() -> str:
    import asyncio

    async def ask() -> str:
        reader, writer = await asyncio.open_connection("localhost", int(os.environ["PORT"]))
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        said = await reader.read()
        writer.close()
        return said.decode().rpartition("\r\n")[2]

    return asyncio.run(ask())


@way("stand-in")
def stand_in_watched_before() -> str:
    """A descriptor that is waited for before it is connected, as some event loops have it."""
    made = socket.socket()
    made.setblocking(False)
    poll = select.epoll()
    poll.register(made.fileno(), select.EPOLLOUT | select.EPOLLIN | select.EPOLLET)
    assert made.connect_ex((HERE, int(os.environ["PORT"]))) in (0, errno.EINPROGRESS)
    other = os.dup(made.fileno())
    while not any(event & select.EPOLLOUT for _, event in poll.poll(5)):
        pass
    os.write(other, b"GET / HTTP/1.0\r\n\r\n")
    said = b""
    made.setblocking(True)
    while part := made.recv(1000):
        said += part
    assert made.getpeername() == (HERE, int(os.environ["PORT"]))
    return said.decode().rpartition("\r\n")[2]


@way("stand-in")
def stand_in_by_curl() -> str:
    asked = ["curl", "-sS", f"http://localhost:{os.environ['PORT']}/"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


@way("stand-in")
def stand_in_by_node() -> str:
    source = f"fetch('http://localhost:{os.environ['PORT']}/').then(r => r.text()).then(t => console.log(t))"
    return subprocess.run(["node", "-e", source], capture_output=True, text=True, check=True).stdout.strip()


@way("ECONNREFUSED")
def stand_in_that_is_not_there() -> None:
    socket.create_connection((HERE, int(os.environ["CLOSED"])))


@way("big and whole")
def much_both_ways() -> str:
    made = socket.create_connection((HERE, int(os.environ["ECHO"])))
    data = os.urandom(1 << 20) * 8
    threading.Thread(target=lambda: (made.sendall(data), made.shutdown(socket.SHUT_WR))).start()
    back = bytearray()
    while part := made.recv(1 << 16):
        back += part
    return "big and whole" if bytes(back) == data else f"{len(back)} of {len(data)}"


@way("outside")
def allowed_address() -> str:
    made = socket.create_connection((OUT + "100", HTTPS), timeout=10)
    assert made.getpeername() == (OUT + "100", HTTPS)
    return made.recv(100).decode()


@way("outside")
def allowed_address_6() -> str:
    return socket.create_connection(("2001:db8:1::5", 8443), timeout=10).recv(100).decode()


@way("outside")
def allowed_name() -> str:
    return socket.create_connection(("API.example.com", HTTPS), timeout=10).recv(100).decode()


@way("pong", shared="EACCES")
def allowed_datagrams() -> str:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.settimeout(10)
    made.sendto(b"ping", (OUT + "102", 9))
    said, sender = made.recvfrom(100)
    assert sender == (OUT + "102", 9)
    return said.decode()


@way("whole")
def said_last() -> str:
    """What is said just before the end arrives; the other side is slow to read."""
    source = f"""import socket
made = socket.create_connection(('{HERE}', {os.environ["SLOW"]}))
made.sendall(bytes(3 << 20))"""
    subprocess.run([sys.executable, "-I", "-S", "-c", source], check=True)
    return "whole"


@way("soon")
def one_that_takes_its_time() -> str:
    """What does not wait for a connection is not kept until there is one."""
    made = socket.socket()
    made.setblocking(False)
    began = time.monotonic()
    code = made.connect_ex((HERE, int(os.environ["FULL"])))
    took = time.monotonic() - began
    return "soon" if code in (0, errno.EINPROGRESS) and took < 1 else f"{code} after {took}"


@way("ECONNRESET")
def reset() -> None:
    made = socket.create_connection((HERE, int(os.environ["RESETS"])))
    made.send(b"x")
    made.recv(10)


def served(family: int, where: object, to: object) -> str:
    server = socket.socket(family)
    server.bind(where)  # type: ignore[arg-type]
    server.listen()
    made = socket.socket(family)
    named = server.getsockname()
    made.connect((to, named[1]) if isinstance(named, tuple) else named)
    other, _ = server.accept()
    other.send(b"own")
    return made.recv(10).decode()


@way("own")
def own_server() -> str:
    return served(socket.AF_INET, (HERE, 0), HERE)


@way("own")
def own_server_everywhere() -> str:
    return served(socket.AF_INET, ("0.0.0.0", 0), "0.0.0.0")


@way("own")
def own_server_6() -> str:
    return served(socket.AF_INET6, ("::1", 0), "::1")


@way("own")
def own_unix_server() -> str:
    return served(socket.AF_UNIX, f"own-{os.getpid()}", None)


@way("own")
def own_abstract_server() -> str:
    return served(socket.AF_UNIX, f"\0own-{os.getpid()}-{os.environ['MARK']}", None)


@way("own", shared="EACCES")
def own_datagrams() -> str:
    one, other = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    one.bind((HERE, 0))
    other.sendto(b"own", one.getsockname())
    return one.recv(10).decode()


def _double(number: int) -> int:
    return 2 * number


def pooled(kind: str) -> str:
    with multiprocessing.get_context(kind).Pool(2) as pool:  # type: ignore[attr-defined]
        return str(pool.map(_double, [1, 2, 3]))


@way("[2, 4, 6]")
def by_fork() -> str:
    return pooled("fork")


@way("[2, 4, 6]")
def by_spawn() -> str:
    return pooled("spawn")


@way("[2, 4, 6]")
def by_forkserver() -> str:
    return pooled("forkserver")


@way("hello")
def asyncio_subprocess() -> str:
    import asyncio

    async def ask() -> str:
        made = await asyncio.create_subprocess_exec("echo", "hello", stdout=asyncio.subprocess.PIPE)
        said, _ = await made.communicate()
        return said.decode().strip()

    return asyncio.run(ask())


@way("open")
def descriptor_of_the_run() -> str:
    """Handed from one process of the run to another."""
    one, other = socket.socketpair()
    made = socket.create_connection((HERE, int(os.environ["PORT"])))
    if os.fork() == 0:
        one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [made.fileno()]))])
        os._exit(0)
    os.wait()
    _, found, _, _ = socket.recv_fds(other, 10, 1)
    return "open" if socket.socket(fileno=found[0]).getpeername()[0] == HERE else "closed"


OUTWARD = tuple(WAYS)[: tuple(WAYS).index("stand_in")]
"""Those that lead out, which are above those that work."""
SLOW = frozenset(("stand_in_by_node", "by_spawn"))
"""Those that take a second and are done once."""


def main() -> None:
    folder = os.environ["FOLDER"]
    os.chdir(folder)
    for each in sys.argv[1:]:
        began = time.monotonic()
        went = how(WAYS[each].do)
        took = time.monotonic() - began
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps([each, went, round(took, 3)]), flush=True)


if __name__ == "__main__":
    main()
