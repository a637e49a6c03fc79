import Foundation
import TestSupport
import Testing

/// Code as it is written for iOS, in many styles, against the built modules with the documented flags.
@Suite("Client files")
struct ClientTests {
    private static let names: [String] = {
        let folder = Places.fixtures.appending(path: "Clients")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
    }()

    @Test("are twenty at least")
    func count() { #expect(Self.names.count >= 20) }

    /// The first line of a client that cannot compile in a mode says so: `// Fails in mode 6: WORDS OF THE COMPILER`.
    @Test("compile in both language modes, or fail as they say", arguments: names, [5, 6])
    func compiles(_ name: String, _ mode: Int) throws {
        let source = try String(
            contentsOf: Places.fixtures.appending(path: "Clients/\(name).swift"), encoding: .utf8)
        let start = "// Fails in mode \(mode): "
        let first = source.prefix { $0 != "\n" }
        let expected = first.hasPrefix(start) ? String(first.dropFirst(start.count)) : nil

        let folder = try Built.folder.get()
        let log = try String(contentsOf: folder.appending(path: "\(name).\(mode).log"), encoding: .utf8)
        let status = try String(contentsOf: folder.appending(path: "\(name).\(mode).status"), encoding: .utf8)
        if let expected {
            #expect(log.contains("error: \(expected)"))
        } else {
            #expect(status == "0\n", "\(log)")
        }
    }
}
