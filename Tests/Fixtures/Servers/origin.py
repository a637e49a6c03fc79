"""A server that does what servers do to transfers, right and wrong: origin.py FOLDER [CERTIFICATE KEY AUTHORITY]

Paths are those of `ROUTES` in downloads.py, signin.py and uploads.py, each with its parameters. On 127.0.0.1; prints
`ready PORT`, then `METHOD TARGET STATUS FIELD=VALUE…` for each request when it is over. With a certificate it speaks TLS, and
wants one of its clients that AUTHORITY has signed.
"""
import ssl
import sys

import downloads
import http1
import signin
import uploads

ROUTES = {**downloads.ROUTES, **signin.ROUTES, **uploads.ROUTES}


def serve(request):
    route = ROUTES.get(request.path.strip("/").split("/")[0])
    if route is None:
        request.answer(404, b"no such place\n")
    else:
        route(sys.argv[1], request)


def security(certificate, key, authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    context.verify_mode = ssl.CERT_REQUIRED
    return context


http1.Server(serve, security(*sys.argv[2:]) if len(sys.argv) > 2 else None).run()
