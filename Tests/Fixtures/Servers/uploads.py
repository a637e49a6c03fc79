"""Takes uploads: plain ones, tus 1.0.0 (https://tus.io/protocols/resumable-upload, core and creation), and
draft-ietf-httpbis-resumable-upload with interop version 8 (its drafts 09 to 12).

What has arrived whole is written to `name` in the folder. `cut=N`: after N bytes of content a connection is cut, `times`
times (1); what came before is kept. With `hold=NAME` it prints `held NAME` then, and cuts when there is a file NAME. `code` and `answer`: status and size of the answer to a whole upload.
"""
import hashlib
import os
import threading
import time

INTEROP = "8"
_uploads = {}
_guard = threading.Lock()


class Upload:
    """One resource that an upload goes to piece by piece."""

    def __init__(self, folder, request):
        self.folder = folder
        self.query = request.query
        self.data = bytearray()
        self.length = None
        self.is_complete = False
        self.cuts_left = request.number("times", 1) if "cut" in request.query else 0
        with _guard:
            self.identifier = f"{len(_uploads) + 1}"
            _uploads[self.identifier] = self

    def take(self, request, limit=None):
        """Appends the request's body, up to the cut; false: it holds more than there may be."""
        room = int(self.query["cut"]) if self.cuts_left > 0 else None
        for piece in request.body(4096):
            if room is not None and len(piece) >= room:
                self.data += piece[:room]
                self.cuts_left -= 1
                self.hold()
                request.cut(abruptly="reset" in self.query)
            if room is not None:
                room -= len(piece)
            self.data += piece
            if limit is not None and len(self.data) > limit:
                return False
        return True

    def hold(self):
        if name := self.query.get("hold"):
            path = os.path.join(self.folder, os.path.basename(name))
            print("held", name, flush=True)
            while not os.path.exists(path):
                time.sleep(0.005)

    def keep(self):
        if name := self.query.get("name"):
            with open(os.path.join(self.folder, os.path.basename(name)), "wb") as file:
                file.write(self.data)

    def answer(self, request, **fields):
        """What the target answers to the whole content."""
        self.keep()
        body = f"{len(self.data)} {hashlib.sha256(self.data).hexdigest()}\n".encode()
        body += b"a" * max(0, int(self.query.get("answer", 0)) - len(body))
        request.answer(int(self.query.get("code", 200)), body, Content_Type="text/plain", **fields)


def sink(folder, request):
    """Takes all of it in one request. `early=STATUS`: answers before it has read the content."""
    if "early" in request.query:
        request.answer(request.number("early", 413), b"no\n")
    upload = _named(request) or Upload(folder, request)
    upload.data.clear()
    upload.take(request)
    upload.answer(request)


def _named(request):
    """The upload of the same target, whose cuts count."""
    for upload in _uploads.values():
        if upload.query == request.query:
            return upload
    return None


# tus 1.0.0

TUS = {"Tus_Resumable": "1.0.0"}


def tus(folder, request):
    """POST creates; `lost=1`: what was begun is forgotten once a connection was cut; `part=N`: a PATCH takes N bytes only."""
    if request.get("tus-resumable") != "1.0.0" and request.method != "OPTIONS":
        return request.answer(412, Tus_Version="1.0.0", **TUS)
    identifier = request.path.rstrip("/").rsplit("/", 1)[-1]
    if identifier == "tus":
        return _create(folder, request)
    upload = _uploads.get(identifier)
    if upload is None or ("lost" in upload.query and upload.data and upload.cuts_left == 0):
        return request.answer(404, **TUS)
    if request.method == "HEAD":
        length = {"Upload_Length": upload.length}
        return request.answer(200, Upload_Offset=len(upload.data), Cache_Control="no-store", **length, **TUS)
    if request.method != "PATCH":
        return request.answer(405, **TUS)
    return _append(upload, request)


def _create(folder, request):
    if request.method != "POST":
        return request.answer(405, **TUS)
    if not request.get("upload-length").isdigit():
        return request.answer(400, b"Upload-Length is missing\n", **TUS)
    for _piece in request.body():
        pass
    upload = Upload(folder, request)
    upload.length = int(request.get("upload-length"))
    return request.answer(201, Location=f"/tus/{upload.identifier}", **TUS)


def _append(upload, request):
    if request.get("content-type") != "application/offset+octet-stream":
        return request.answer(415, **TUS)
    if request.get("upload-offset") != str(len(upload.data)):
        return request.answer(409, **TUS)
    part = int(upload.query.get("part", 0))
    if part and request.remaining > part:
        return request.answer(413, **TUS)
    if not upload.take(request, upload.length):
        return request.answer(413, **TUS)
    if len(upload.data) == upload.length:
        upload.keep()
    return request.answer(204, Upload_Offset=len(upload.data), **TUS)


# draft-ietf-httpbis-resumable-upload


def resumable(folder, request):
    """Any method with content creates. `silent=1`: no 104 is sent; `claims=N`: it says that it has N bytes of the first one; `version=N`: the interop version that it says; `most=N`: no
    request may carry more."""
    if request.get("upload-draft-interop-version") != INTEROP or not request.get("upload-complete"):
        return sink(folder, request)
    again = "claims" in request.query and _named(request) is not None
    upload = Upload(folder, request)
    if again:
        upload.cuts_left, upload.query = 0, {key: value for key, value in upload.query.items() if key != "claims"}
    upload.length = _length(request, 0)
    if "silent" not in request.query:
        request.head(
            104, "Upload Resumption Supported", Location=f"/partial/{upload.identifier}",
            Upload_Draft_Interop_Version=request.query.get("version", INTEROP), Upload_Limit=_limit(upload))  # fmt: skip
    return _receive(upload, request)


def _limit(upload):
    return "max-age=3600" + (f", max-append-size={upload.query['most']}" if "most" in upload.query else "")


def _length(request, offset):
    if request.get("upload-length").isdigit():
        return int(request.get("upload-length"))
    if request.get("upload-complete") == "?1" and not request.is_body_chunked:
        return offset + request.remaining
    return None


def _receive(upload, request):
    if request.remaining > int(upload.query.get("most", request.remaining)):
        return request.answer(413, Upload_Limit=_limit(upload))
    upload.take(request)
    if request.get("upload-complete") == "?1":
        upload.is_complete = True
        return upload.answer(request, Upload_Complete="?1")
    return request.answer(201, Location=f"/partial/{upload.identifier}", Upload_Complete="?0")


def partial(_, request):
    """What an upload of the draft goes to after its creation."""
    upload = _uploads.get(request.path.rsplit("/", 1)[-1])
    if upload is None or ("lost" in upload.query and upload.cuts_left == 0 and not upload.is_complete):
        return request.answer(404)
    there = int(upload.query.get("claims", len(upload.data)))
    state = {"Upload_Offset": there, "Upload_Complete": f"?{int(upload.is_complete)}"}
    if request.method == "HEAD":
        limit = _limit(upload)
        return request.answer(204, Upload_Length=upload.length, Upload_Limit=limit, Cache_Control="no-store", **state)
    if request.method == "DELETE":
        del _uploads[upload.identifier]
        return request.answer(204)
    if request.method != "PATCH":
        return request.answer(405)
    if request.get("content-type") != "application/partial-upload":
        return request.answer(415)
    if request.get("upload-offset") != str(len(upload.data)) or upload.is_complete:
        return request.answer(409, **state)
    if _length(request, len(upload.data)) not in (None, upload.length):
        return request.answer(400, b"another length than before\n")
    return _receive(upload, request)


ROUTES = {"sink": sink, "tus": tus, "resumable": resumable, "partial": partial}
