"""What a server may do to a download, right and wrong. Every path below takes `file=NAME` of the folder."""
import hashlib
import itertools
import os
import threading
import time
from email.utils import formatdate

_counts = {}
_counting = threading.Lock()


def count(key):
    """How often it was asked for `key` before."""
    with _counting:
        _counts[key] = _counts.get(key, 0) + 1
        return _counts[key] - 1


def content(folder, request):
    with open(os.path.join(folder, os.path.basename(request.query.get("file", ""))), "rb") as file:
        return file.read()


def wanted(request, length, validators):
    """(start, end) of the part that is asked for; None: all of it; False: none can be had (RFC 9110 14)."""
    text = request.get("range")
    guard = request.get("if-range")
    if not text.startswith("bytes=") or (guard and guard not in validators):
        return None
    first, _, last = text[6:].partition("-")
    start = int(first)
    end = min(int(last) + 1 if last else length, length)
    return (start, end) if start < end else False


def serve_ranges(request, data, etag=None, modified=None, limit=None, sent=None):
    """An honest answer with ranges; of a body only `sent` bytes before the connection is cut, in pieces of `limit` a tenth
    of a second."""
    strong = [value for value in (etag, modified) if value and not value.startswith("W/")]
    fields = {"ETag": etag, "Last_Modified": modified, "Accept_Ranges": "bytes"}
    part = wanted(request, len(data), strong)
    if part is False:
        return request.answer(416, Content_Range=f"bytes */{len(data)}", **fields)
    start, end = part or (0, len(data))
    if part:
        fields["Content_Range"] = f"bytes {start}-{end - 1}/{len(data)}"
    request.head(206 if part else 200, Content_Length=end - start, **fields)
    if request.method == "HEAD":
        return None
    body = data[start:end] if sent is None else data[start : min(end, start + sent)]
    step = limit or len(body) or 1
    for offset in range(0, len(body), step):
        request.send(body[offset : offset + step])
        if limit:
            time.sleep(0.1)
    if sent is not None and start + sent < end:
        request.cut()
    return None


def ranges(folder, request):
    data = content(folder, request)
    serve_ranges(request, data, etag='"' + hashlib.sha256(data).hexdigest()[:16] + '"', limit=request.number("limit", 0))


def dated(folder, request):
    serve_ranges(request, content(folder, request), modified=formatdate(1_600_000_000, usegmt=True))


def weak(folder, request):
    serve_ranges(request, content(folder, request), etag='W/"weak"', sent=sent(request))


def unvalidated(folder, request):
    serve_ranges(request, content(folder, request), sent=sent(request))


def sent(request):
    """For as long as the first `times` requests for this target: how much goes out."""
    key = request.target
    return request.number("sent", 0) if count(key) < request.number("times", 1) else None


def flap(folder, request):
    """The first `times` answers are cut after `sent` bytes of body."""
    data = content(folder, request)
    serve_ranges(request, data, etag='"flap"', sent=sent(request))


def changing(folder, request):
    """Another validator, and other bytes, at every request; the first is cut after `sent` bytes."""
    turn = count(request.target)
    data = bytes([turn & 0xFF]) + content(folder, request)[1:]
    serve_ranges(request, data, etag=f'"turn-{turn}"', sent=request.number("sent", 0) if turn == 0 else None)


def rangeless(folder, request):
    """200 whatever is asked for; the first `times` answers are cut."""
    data = content(folder, request)
    amount = sent(request)
    request.head(200, Content_Length=len(data), ETag='"rangeless"')
    request.send(data if amount is None else data[:amount])
    if amount is not None:
        request.cut()


def wrong_part(folder, request):
    """Asked for a part it sends another one, and says so: `shift` bytes later. Its first answer is cut after `sent` bytes."""
    data = content(folder, request)
    part = wanted(request, len(data), ['"part"'])
    if not part:
        request.head(200, Content_Length=len(data), ETag='"part"', Accept_Ranges="bytes")
        request.send(data[: request.number("sent", 0)])
        request.cut()
    start = part[0] + request.number("shift", 1)
    request.answer(206, data[start:], ETag='"part"', Content_Range=f"bytes {start}-{len(data) - 1}/{len(data)}")


def short(folder, request):
    """Promises `more` bytes more than it sends."""
    data = content(folder, request)
    request.head(200, Content_Length=len(data) + request.number("more", 1000))
    request.send(data)
    request.cut()


def long(folder, request):
    """Sends more than it promised."""
    data = content(folder, request)
    request.head(200, Content_Length=len(data) - request.number("less", 1000), Connection="close")
    request.send(data)
    request.cut()


def unmeasured(folder, request):
    """No length: the end of the connection is the end of the body."""
    request.head(200, Connection="close")
    request.send(content(folder, request))
    request.cut()


def chunked(folder, request):
    """In chunks; `cut=1`: without the last one."""
    request.head(200, Transfer_Encoding="chunked")
    data = content(folder, request)
    for offset in range(0, len(data), 10_000):
        piece = data[offset : offset + 10_000]
        request.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
    if request.number("cut", 0):
        request.cut()
    request.send(b"0\r\n\r\n")


def joined(folder, request):
    """The first answer has the fields `e` (ETag) and `m` (Last-Modified) and is cut after `sent` bytes; the next ones send the
    part that is asked for, whatever guards it, with the fields `e2` and `m2`."""
    data = content(folder, request)
    turn = count(request.target)
    suffix = "2" if turn else ""
    fields = {
        "Date": "Thu, 26 Nov 2020 16:00:00 GMT", "ETag": request.query.get("e" + suffix),
        "Last_Modified": request.query.get("m" + suffix),
    }  # fmt: skip
    text = request.get("range")
    if turn == 0 or not text:
        request.head(200, Content_Length=len(data), **fields)
        request.send(data if turn else data[: request.number("sent", 1000)])
        request.cut()
    start = int(text[6:].partition("-")[0])
    length = request.query.get("total", len(data))
    request.answer(206, data[start:], Content_Range=f"bytes {start}-{len(data) - 1}/{length}", **fields)


def fields(_, request):
    """`code`, with a body of three bytes and the fields of `head`, divided by `|`."""
    request.status = request.number("code", 200)
    lines = [line for line in request.query.get("head", "").split("|") if line]
    request.send("\r\n".join([f"HTTP/1.1 {request.status} Because"] + lines + ["", "abc"]).encode())
    request.cut()


def late(folder, request):
    """`sent` bytes, and the rest after `seconds`."""
    data = content(folder, request)
    request.head(200, Content_Length=len(data), ETag='"late"')
    at = request.number("sent", 0)
    request.send(data[:at])
    time.sleep(request.number("seconds", 1))
    request.send(data[at:])


def goodbye(folder, request):
    """No length, over TLS; `bye=1`: TLS is ended as it should be (close_notify)."""
    request.head(200, Connection="close")
    request.send(content(folder, request))
    if request.number("bye", 0):
        try:
            request.connection.sock.unwrap()
        except OSError:
            pass
    request.cut()


def compressed(folder, request):
    """gzip, although nobody asked for it."""
    import gzip

    request.answer(200, gzip.compress(content(folder, request)), Content_Encoding="gzip")


def silent(_, request):
    """Never answers."""
    threading.Event().wait()


def stall(folder, request):
    """Answers, sends `sent` bytes and then nothing any more."""
    data = content(folder, request)
    request.head(200, Content_Length=len(data), ETag='"stall"')
    request.send(data[: request.number("sent", 0)])
    threading.Event().wait()


def half_head(_, request):
    request.send(b"HTTP/1.1 200 OK\r\nContent-Le")
    threading.Event().wait()


def endless_head(_, request):
    request.send(b"HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        request.send(f"X-More-{number}: {'y' * 1000}\r\n".encode())


def many_fields(folder, request):
    """`count` fields called `name`, or nothing."""
    data = content(folder, request)
    field = request.query.get("name", "").encode() + b":\r\n"
    request.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(data))
    request.send(field * request.number("count", 1000) + b"\r\n")
    time.sleep(0.2)
    request.send(data)
    request.cut()


def endless_part(folder, request):
    """A part of 2^63-1 bytes, or of a file that has so many."""
    length, total = (2**63 - 1, "*") if request.query.get("lie") == "length" else (100, 2**63 - 1)
    request.head(206, Content_Length=length, ETag='"part"', Content_Range=f"bytes 500-999/{total}")
    request.send(b"x" * 100)
    request.cut()


def endless_field(_, request):
    request.send(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        request.send(b"y" * 10_000)


def endless_interim(_, request):
    while True:
        request.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")


def endless_body(_, request):
    request.head(200)
    while True:
        request.send(b"z" * 65_536)


def garbage(_, request):
    request.send(b"\x16\x03\x01 this is not HTTP at all\r\n\r\n" * 10)
    request.cut()


def reset(_, request):
    request.cut(abruptly=True)


def status(_, request):
    """`code`, with `retry` as Retry-After; from request `times` on it is 200 if that is given."""
    code = request.number("code", 500)
    if "times" in request.query and count(request.target) >= request.number("times", 1):
        return request.answer(200, b"now")
    return request.answer(code, f"status {code}\n", Retry_After=request.query.get("retry"))


def redirect(_, request):
    """To `to`; `left=N` goes through N more of the kind first."""
    code = request.number("code", 302)
    for _piece in request.body():
        pass
    left = request.number("left", 0)
    if left > 0:
        target = request.target.replace(f"left={left}", f"left={left - 1}")
        return request.answer(code, b"not here\n", Location=target)
    return request.answer(code, b"not here\n", Location=request.query.get("to"), Set_Cookie="place=here")


def loop(_, request):
    request.answer(302, Location=request.target)


def echo(_, request):
    """The method and the fields of the request, one a line."""
    for _piece in request.body():
        pass
    lines = [f"{request.method} {request.target}"] + [f"{name}: {value}" for name, value in request.fields.items()]
    request.answer(200, "\n".join(lines) + "\n", Content_Type="text/plain")


ROUTES = {
    "ranges": ranges, "dated": dated, "weak": weak, "unvalidated": unvalidated, "flap": flap, "changing": changing,
    "rangeless": rangeless, "wrong-part": wrong_part, "short": short, "long": long, "unmeasured": unmeasured,
    "chunked": chunked, "compressed": compressed, "silent": silent, "stall": stall, "half-head": half_head,
    "endless-head": endless_head, "many-fields": many_fields, "endless-part": endless_part,
    "endless-field": endless_field, "endless-interim": endless_interim,
    "endless-body": endless_body, "garbage": garbage, "reset": reset, "status": status, "redirect": redirect,
    "loop": loop, "echo": echo, "joined": joined, "fields": fields, "late": late, "goodbye": goodbye,
}  # fmt: skip
