"""Places that want credentials: basic (RFC 7617), digest (RFC 7616), bearer (RFC 6750)."""
import base64
import hashlib
import os
import re
import time

_nonces = set()


def _deny(request, challenge):
    request.answer(401, b"who are you?\n", WWW_Authenticate=challenge)


def _welcome(request):
    length = 0
    for piece in request.body():
        length += len(piece)
    request.answer(200, f"welcome {length}\n")


def basic(_, request):
    """`user`, `password`, `realm`."""
    pair = f"{request.query.get('user', 'ada')}:{request.query.get('password', 'secret')}"
    if request.get("authorization") == "Basic " + base64.b64encode(pair.encode()).decode():
        return _welcome(request)
    return _deny(request, f'Basic realm="{request.query.get("realm", "the lab")}", charset="UTF-8"')


def bearer(_, request):
    """`token`."""
    if request.get("authorization") == f"Bearer {request.query.get('token', 'good')}":
        return _welcome(request)
    return _deny(request, 'Bearer realm="the lab", error="invalid_token"')


def guarded(folder, request):
    """`file`; wants the bearer token that is its realm, of the file `realm`, read backwards. With `hold` it denies when a file of
    that name is there."""
    with open(os.path.join(folder, "realm"), encoding="utf-8") as file:
        realm = file.read()
    if request.get("authorization") == "Bearer " + realm[::-1]:
        with open(os.path.join(folder, os.path.basename(request.query["file"])), "rb") as file:
            return request.answer(200, file.read())
    while "hold" in request.query and not os.path.exists(os.path.join(folder, os.path.basename(request.query["hold"]))):
        time.sleep(0.005)
    return _deny(request, f'Bearer realm="{realm}", error="invalid_token"')


def digest(_, request):
    """`user`, `password`, `algorithm` (MD5 or SHA-256); a nonce is good once per count."""
    user = request.query.get("user", "ada")
    password = request.query.get("password", "secret")
    algorithm = request.query.get("algorithm", "SHA-256")
    words = dict(re.findall(r'(\w+)="?([^",]*)"?', request.get("authorization").partition(" ")[2]))
    make = hashlib.md5 if algorithm == "MD5" else hashlib.sha256

    def hexed(text):
        return make(text.encode()).hexdigest()

    if request.get("authorization").startswith("Digest ") and words.get("nonce") in _nonces:
        first = hexed(f"{user}:the lab:{password}")
        second = hexed(f"{request.method}:{words.get('uri')}")
        right = hexed(":".join([first, words["nonce"], words["nc"], words["cnonce"], words["qop"], second]))
        if words.get("uri") == request.target and words.get("username") == user and words.get("response") == right:
            return _welcome(request)
    nonce = os.urandom(16).hex()
    _nonces.add(nonce)
    return _deny(request, f'Digest realm="the lab", qop="auth", algorithm={algorithm}, nonce="{nonce}", opaque="q"')


def several(_, request):
    """Offers two ways in one field, and one that nobody knows in another."""
    request.head(
        401, WWW_Authenticate='Strange a="b, Basic realm=\\"no\\"", Basic realm="first, with a \\"comma\\"", Bearer',
        Content_Length=0)  # fmt: skip


ROUTES = {"basic": basic, "bearer": bearer, "digest": digest, "guarded": guarded, "several": several}
