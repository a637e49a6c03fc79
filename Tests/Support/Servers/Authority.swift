package import Foundation

/// Certificates that openssl made for this test run, in a folder that goes with it.
///
/// `server` is for localhost, 127.0.0.1 and test.internal; `elsewhere` is for another name, `expired` has expired;
/// `client` is one for clients, `stranger` one of an authority that no server here knows.
package struct Authority: Sendable {
    package let folder: URL

    /// Made once for the whole test run.
    package static let shared = Result {
        let folder = try Places.once("authority") { folder in
            let script = Places.fixtures.appending(path: "Servers/authority.sh").path
            let made = try Command.run("sh", [script, folder.path])
            guard made.succeeded else { throw Problem("authority.sh: \(made.output)") }
        }
        return Authority(folder: folder)
    }

    /// The authority's own certificate.
    package var path: String { folder.appending(path: "ca.pem").path }
    package func certificate(_ name: String) -> String { folder.appending(path: "\(name).pem").path }
    package func key(_ name: String) -> String { folder.appending(path: "\(name).key").path }

    package func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    /// `sha256/…` of the public key of `server` or `client` (RFC 7469).
    package func pin(_ name: String) throws -> String {
        String(decoding: try bytes(folder.appending(path: "\(name).pin").path), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
