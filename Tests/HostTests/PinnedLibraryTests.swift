import Foundation
import TestSupport
import Testing

@Suite("A library that the manifest pins by its digest")
struct PinnedLibraryTests {
    private static let application = "org.taskhost.pinned"
    private static let task = "\(application).tally"

    /// A station whose application has its own library, and the library's digest.
    private func pinned(isolation: String) throws -> (station: Station, library: URL, digest: String) {
        let station = try Station()
        let library = station.manifestFolder.appending(path: "libown.so")
        var manifest = try ManifestText(stage: Self.application, ["tally": "stage_tally"])
        let original = URL(filePath: try #require(manifest["library"] as? String))
        try station.folder.write("manifests/libown.so", Data(contentsOf: original))
        let digest = try Self.digest(of: library)
        manifest["library"] = "libown.so"
        manifest["sha256"] = digest
        manifest["isolation"] = isolation
        try station.add(manifest)
        return (station, library, digest)
    }

    private static func digest(of file: URL) throws -> String {
        let command = try Command.run("sha256sum", [file.path])
        return String(command.output.prefix(64))
    }

    @Test(
        "is checked by each worker before it is mapped, against the file that is mapped",
        arguments: ["zygote", "run", "exec"])
    func changed(_ isolation: String) throws {
        let (station, library, digest) = try pinned(isolation: isolation)
        let daemon = try Daemon(station)
        let good = try station.start(["run", Self.task, "--quiet"], manifests: false).finish()
        #expect(good.status != 17, "\(good.errors)")
        try daemon.tell("quit", Self.application)
        // In place: the file that the host has open is another now, under the same name and number.
        let writer = try FileHandle(forWritingTo: library)
        try writer.seekToEnd()
        try writer.write(contentsOf: Data([0]))
        try writer.close()
        let changed = try Self.digest(of: library)
        #expect(changed != digest)
        let bad = try station.start(["run", Self.task, "--quiet"], manifests: false).finish()
        #expect(bad.status == 17, "\(bad.output) \(bad.errors)")
        let run = try #require(try station.history().last)
        #expect(run.outcome == "refused")
        #expect(run.diagnostics.contains { $0.contains(digest) && $0.contains(changed) }, "\(run.diagnostics)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("and that has changed is reported by validate, with the digest that it has")
    func validated() throws {
        let (station, library, digest) = try pinned(isolation: "zygote")
        try station.folder.write("manifests/libown.so", Data(contentsOf: library) + [0 as UInt8])
        let command = try Command.run(Places.taskhost, ["validate", station.manifestFolder.path])
        #expect(command.status == 65)
        // Below it stands the line of the manifest.
        let fault = try #require(command.output.split(separator: "\n").first)
        #expect(fault.contains(try Self.digest(of: library)) && !fault.contains(digest), "\(command.output)")
    }
}
