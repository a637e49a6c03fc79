import Foundation
import TestSupport
import Testing

/// Code as it is written for iOS, in many styles, against the built modules with the documented flags.
@Suite("Client files")
struct ClientTests {
    @Test("are twenty at least")
    func count() { #expect(Client.names.count >= 20) }

    @Test("compile in both language modes, or fail as they say", arguments: Client.compiled)
    func compiles(_ client: Client) throws {
        let folder = try Built.folder.get()
        let log = try String(contentsOf: folder.appending(path: "\(client).log"), encoding: .utf8)
        let status = try String(contentsOf: folder.appending(path: "\(client).status"), encoding: .utf8)
        if let expected = try client.failure {
            #expect(log.contains("error: \(expected)"))
        } else {
            #expect(status == "0\n", "\(log)")
        }
    }
}
