import Manifests
import TaskModel
import Testing

/// `transfers` of a manifest.
struct TransfersTests {
    private static let readable = #""library": "l.so", "permissions": {"read": ["$MANIFEST/tls", "/etc/ssl"]}, "#

    @Test func `What stands there is what the application has`() throws {
        let extra =
            Self.readable + #"""
                "transfers": {"certificate": "$MANIFEST/tls/a.pem", "key": "$STATE/a.key", "trust": [
                {"host": "API.example.com", "spki": ["sha256/K87oWBWM9UZfyddvDfoxL+8lpNyoUB2ptGtn0fv6G2Q="]},
                {"host": "[2001:DB8::1]", "ca": "/etc/ssl/own.pem"}],
                "renew": {"task": "com.example.a.t", "hosts": ["Api.Example.com", "192.0.2.7"]}}
                """#
        let result = ManifestText.decode(ManifestText.with(extra: extra))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        let settings = try #require(result.application?.transfers)
        #expect(settings.certificate == "$MANIFEST/tls/a.pem" && settings.key == "$STATE/a.key")
        #expect(settings.trust.map(\.host) == ["api.example.com", "2001:db8:0:0:0:0:0:1"])
        #expect(settings.trust(for: "api.EXAMPLE.com")?.pins == ["sha256/K87oWBWM9UZfyddvDfoxL+8lpNyoUB2ptGtn0fv6G2Q="])
        #expect(settings.trust(for: "2001:db8::1")?.authorities == "/etc/ssl/own.pem")
        #expect(settings.trust(for: "[2001:db8:0::1]") == settings.trust[1])
        #expect(settings.trust(for: "example.com") == nil)
        #expect(settings.renews(for: "API.example.com") && !settings.renews(for: "example.com"))
        #expect(
            settings.renewal == TransferRenewal(task: "com.example.a.t", hosts: ["api.example.com", "192.0.2.7"]))
        #expect(ManifestText.decode(ManifestText.with()).application?.transfers == TransferSettings())
    }

    @Test func `A foreign function that renews returns a text`() throws {
        let manifest = #"""
            {"identifier": "com.example.a", "tasks": {"com.example.a.t": {"kind": "appRefresh", "handler": {"library":
            "l.so", "symbol": "f", "signature": "string(string)", "arguments": [{"payload": "string"}]}}},
            "transfers": {"renew": {"task": "com.example.a.t", "hosts": ["a.example"]}}}
            """#
        let result = ManifestText.decode(manifest)
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        guard case .foreign(let function) = result.application?.tasks.first?.handler else {
            Issue.record("\(String(describing: result.application?.tasks))")
            return
        }
        #expect(function.signature.result == .string && function.success == .compare(.notEqual, .null))
    }

    static let cases = FaultCase.parse(
        #"""
        X "library": "l", "transfers": []
        = $.transfers: found an empty array; expected an object
        X "library": "l", "transfers": {"certificat": "/a"}
        = $.transfers.certificat: found the unknown key "certificat"; expected one of certificate, key, trust, renew; did you mean "certificate"?
        X "library": "l", "transfers": {"certificate": "/etc/a.pem", "key": "a.key"}
        = $.transfers.certificate: found "/etc/a.pem"; expected a path that the permissions let the application read; add it to "permissions"."read"
        = $.transfers.key: found "a.key"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        X "library": "l", "transfers": {"certificate": "$STATE/a.pem"}
        = $.transfers.certificate: found "$STATE/a.pem"; expected no "certificate" without a "key"; both may be in one file; name it twice
        X "library": "l", "transfers": {"key": "$STATE/a.pem"}
        = $.transfers.key: found "$STATE/a.pem"; expected no "key" without a "certificate"; both may be in one file; name it twice
        X "library": "l", "transfers": {"trust": [{"host": "a.example"}, {"host": "b.example", "ca": "$STATE/a", "spki": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}]}
        = $.transfers.trust[0]: found neither of them; expected "spki" or "ca"; pins of public keys, or the file of an authority
        = $.transfers.trust[1]: found both of them; expected "spki" or "ca"; pins of public keys, or the file of an authority
        X "library": "l", "transfers": {"trust": [{"ca": "$STATE/a"}, {"host": "https://a.example/", "ca": "$STATE/a"}, {"host": "a.example:443", "ca": "$STATE/a"}]}
        = $.transfers.trust[0].host: found nothing; expected a host such as "api.example.com" or "192.0.2.7"; add "host"
        = $.transfers.trust[1].host: found "https://a.example/"; expected a host such as "api.example.com" or "192.0.2.7"; leave out scheme, port and path
        = $.transfers.trust[2].host: found "a.example:443"; expected a host such as "api.example.com" or "192.0.2.7"; leave out scheme, port and path
        X "library": "l", "transfers": {"trust": [{"host": "a.example", "ca": "$STATE/a"}, {"host": "A.example", "ca": "$STATE/b"}, {"host": "*", "ca": "$STATE/a"}]}
        = $.transfers.trust[1]: found "a.example" again; expected each host once
        = $.transfers.trust[2].host: found "*"; expected a host such as "api.example.com" or "192.0.2.7"; leave out scheme, port and path
        X "library": "l", "transfers": {"trust": [{"host": "a.example", "spki": []}]}
        = $.transfers.trust[0].spki: found an empty array; expected at least one pin
        X "library": "l", "transfers": {"trust": [{"host": "a.example", "spki": ["sha256/AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}]}
        = $.transfers.trust[0].spki[0]: found "sha256/AAAA"; expected "sha256/" and the digest of a public key in base 64; openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
        = $.transfers.trust[0].spki[1]: found "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="; expected "sha256/" and the digest of a public key in base 64; openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
        R {"identifier": "com.example.a", "tasks": {"com.example.a.t": {"kind": "appRefresh", "handler": {"library": "l.so", "symbol": "f", "signature": "i32()"}}}, "transfers": {"renew": {"task": "com.example.a.t", "hosts": ["a.example"]}}}
        = §.handler.signature: found "i32" at character 1 of "i32()"; expected "string", the result of a function that renews credentials; what it returns is the value of Authorization, such as "Bearer …"
        R {"identifier": "com.example.a", "tasks": {"com.example.a.t": {"kind": "appRefresh", "schedule": {"every": "1h", "overlap": "allow"}, "handler": {"library": "l.so", "symbol": "f", "signature": "string()"}}}, "transfers": {"renew": {"task": "com.example.a.t", "hosts": ["a.example"]}}}
        = §.schedule.overlap: found "allow"; expected "queue", "skip" or "replace" for the task that renews credentials; of its runs one is in progress at a time
        R {"identifier": "com.example.a", "tasks": {"com.example.a.t": {"kind": "appRefresh", "handler": {"library": "l.so", "symbol": "f", "signature": "string(pointer)", "arguments": [{"callback": "complete"}]}}}, "transfers": {"renew": {"task": "com.example.a.t", "hosts": ["a.example"]}}}
        = §.handler.arguments[0]: found an object; expected no callback "complete" of a function that renews credentials; its run ends when it returns the credential
        R {"identifier": "com.example.a", "tasks": {"com.example.a.t": {"kind": "appRefresh", "handler": {"library": "l.so", "symbol": "f", "signature": "string()"}}, "com.example.a.u": {"kind": "appRefresh", "handler": {"library": "l.so", "symbol": "f", "signature": "string()"}}}, "transfers": {"renew": {"task": "com.example.a.u", "hosts": ["a.example"]}}}
        = §.handler.signature: found "string" at character 1 of "string()"; expected a result that is no string; use "pointer": who frees the memory cannot be said here
        X "library": "l", "transfers": {"renew": {}}
        = $.transfers.renew.task: found nothing; expected a task of this manifest, which renews credentials; add "task"
        = $.transfers.renew.hosts: found nothing; expected the hosts that the credentials are for, such as ["api.example.com"]; add "hosts"
        X "library": "l", "transfers": {"renew": {"task": "com.example.a.u", "hosts": []}}
        = $.transfers.renew.task: found "com.example.a.u"; expected a task of this manifest; did you mean "com.example.a.t"?
        = $.transfers.renew.hosts: found an empty array; expected at least one host
        """#)

    @Test(arguments: cases)
    func `A fault is reported with its place and what to do`(_ row: FaultCase) {
        #expect(ManifestText.messages(row.manifest) == row.messages)
    }
}
