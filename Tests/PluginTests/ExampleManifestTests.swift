import Foundation
import TestSupport
import Testing

@Suite("Example manifests")
struct ExampleManifestTests {
    static let names = ["crc32", "database-care", "scrub", "walk"].map { "org.taskhost.examples.\($0)" }

    @Test("are named after their application and name symbols that the libraries export", arguments: names)
    func manifest(_ name: String) throws {
        let manifest = try Manifest(Places.root.appending(path: "manifests/\(name).json"))
        #expect(manifest.identifier == name)
        #expect(Array(manifest.tasks.keys) == [name])
        guard let library = manifest.library else {
            #expect(manifest.symbols.isEmpty)
            return
        }
        let symbols = try Command.run("nm", ["-D", "--defined-only", Places.products.appending(path: library).path])
        for symbol in manifest.symbols { #expect(symbols.output.contains(" T \(symbol)\n"), "\(symbols.output)") }
    }
}
