import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The files of a manifest's transfers", .plainBuild)
struct TransferFilesTests {
    @Test("are reported by validate when they do not exist, and a key when every user can read it")
    func files() throws {
        let folder = try Folder()
        let authority = try Authority.shared.get()
        func copy(_ path: String, _ name: String) throws {
            try folder.write("m/tls/\(name)", String(decoding: try authority.bytes(path), as: UTF8.self))
        }
        try copy(authority.certificate("client"), "client.pem")
        try copy(authority.key("client"), "client.key")
        try folder.setMode(0o644, of: "m/tls/client.key")
        try folder.write(
            "m/com.example.photos.json",
            """
            {"identifier": "com.example.photos", "permissions": {"read": ["$MANIFEST/tls"], "network": ["api.example.com:443"]},
             "transfers": {"certificate": "$MANIFEST/tls/client.pem", "key": "$MANIFEST/tls/client.key",
              "trust": [{"host": "api.example.com", "ca": "$MANIFEST/tls/own.pem"}]},
             "tasks": {"com.example.photos.crc": {"kind": "processing", "handler": {"library": "libz.so.1",
              "symbol": "crc32", "success": "result == 0", "signature": "u64(u64, bytes, u32)",
              "arguments": [0, {"payload": "bytes"}, {"payload": "length"}]}}}}
            """)
        let tool = try Tool.run("validate", folder.file("m").path)
        #expect(tool.status == 0, "\(tool)")
        let told = tool.output + tool.errors
        #expect(
            told.contains("$.transfers.trust[0].ca: found \"$MANIFEST/tls/own.pem\"; expected a PEM file"), "\(told)")
        #expect(told.contains("$.transfers.key: ") && told.contains("chmod o-rwx"), "\(told)")
        #expect(!told.contains("$.transfers.certificate"), "\(told)")
        try folder.setMode(0o640, of: "m/tls/client.key")
        try copy(authority.path, "own.pem")
        func warnings() throws -> String {
            let tool = try Tool.run("validate", folder.file("m").path)
            #expect(tool.status == 0, "\(tool)")
            return (tool.output + tool.errors).split(separator: "\n").filter { $0.contains("$.transfers") }
                .joined(separator: "\n")
        }
        #expect(try warnings() == "")

        // A key of another certificate, one with a passphrase, what is none, and a certificate that is none.
        try copy(authority.key("stranger"), "client.key")
        try folder.setMode(0o640, of: "m/tls/client.key")
        let strange = try warnings()
        #expect(strange.contains("expected the key of the certificate $MANIFEST/tls/client.pem"), "\(strange)")
        let words = [
            "pkcs8", "-topk8", "-v2", "aes-128-cbc", "-passout", "pass:secret", "-in", authority.key("client"), "-out",
            folder.file("m/tls/client.key").path,
        ]
        #expect(try Program("openssl", words).finish().succeeded)
        #expect(try warnings().contains("$.transfers.key: found \"$MANIFEST/tls/client.key\", which has a passphrase"))
        try folder.setMode(0o600, of: "m/tls/client.key")
        // Only a host that is root checks that others than root cannot read it.
        #expect(try warnings().contains("which root alone may read") == (geteuid() == 0))
        try folder.write("m/tls/client.key", "key")
        try folder.setMode(0o640, of: "m/tls/client.key")
        try folder.write("m/tls/client.pem", "certificate")
        try folder.write("m/tls/own.pem", "-----BEGIN NOTHING-----")
        let none = try warnings()
        #expect(
            none.contains("client.key\", which has no key") && none.contains("client.pem\", which has no cert"),
            "\(none)")
        #expect(none.contains("$.transfers.trust[0].ca: found \"$MANIFEST/tls/own.pem\", which has no"), "\(none)")
    }

    @Test("and hosts that the permissions do not lead to")
    func hosts() throws {
        let folder = try Folder()
        func told(_ network: String) throws -> [String] {
            try folder.write(
                "m/com.example.photos.json",
                """
                {"identifier": "com.example.photos", "permissions": {"read": ["/etc"], "network": [\(network)]},
                 "transfers": {"trust": [
                  {"host": "api.example.com", "spki": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]},
                  {"host": "192.0.2.7", "spki": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}]},
                 "tasks": {"com.example.photos.crc": {"kind": "processing", "handler": {"library": "libz.so.1",
                  "symbol": "crc32", "success": "result == 0", "signature": "u64(u64, bytes, u32)",
                  "arguments": [0, {"payload": "bytes"}, {"payload": "length"}]}}}}
                """)
            let tool = try Tool.run("validate", folder.file("m").path)
            return (tool.output + tool.errors).split(separator: "\n").filter { $0.contains("$.transfers") }.map(
                String.init)
        }
        let none = try told("")
        #expect(none.count == 2 && none[0].contains("$.transfers.trust[0].host: found \"api.example.com\""), "\(none)")
        #expect(none.first?.contains("add \"api.example.com:443\" to \"permissions\".\"network\"") == true, "\(none)")
        #expect(try told(#""api.example.com:8443", "192.0.2.0/24:443""#).isEmpty)
        // Of a name, some address of a network might be meant.
        #expect(try told(#""other.example.com:443", "192.0.2.7:1""#).isEmpty)
        #expect(try told(#""other.example.com:443""#).count == 2)
    }
}
