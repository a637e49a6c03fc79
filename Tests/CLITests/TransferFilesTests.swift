import Foundation
import Testing

@Suite("The files of a manifest's transfers", .plainBuild)
struct TransferFilesTests {
    @Test("are told by validate when they are not there, and a key when everybody can read it")
    func files() throws {
        let folder = try Folder()
        try folder.write("m/tls/client.pem", "certificate")
        try folder.write("m/tls/client.key", "key")
        try folder.setMode(0o644, of: "m/tls/client.key")
        try folder.write(
            "m/com.example.photos.json",
            """
            {"identifier": "com.example.photos", "permissions": {"read": ["$MANIFEST/tls"]},
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
        try folder.write("m/tls/own.pem", "authority")
        let good = try Tool.run("validate", folder.file("m").path)
        #expect(!(good.output + good.errors).contains("$.transfers"), "\(good)")
    }
}
