import Foundation
import Testing

@Suite("A folder of manifests that no option names")
struct ManifestFolderTests {
    private static let ours = """
        {"identifier": "com.example.a", "library": "libmissing.so",
         "tasks": {"com.example.a.b": {"kind": "processing", "handler": "run"}}}
        """

    private func validate(_ folder: Folder) throws -> Tool {
        try Tool.run("validate", in: folder, environment: ["XDG_CONFIG_HOME": folder.file("config").path])
    }

    @Test(
        "belongs to another program when it holds no manifest",
        arguments: [
            #"{"apiVersion": "v1", "kind": "Service"}"#, #"{"identifier": 5}"#, "", "kind: Service",
        ])
    func foreign(_ text: String) throws {
        let folder = try Folder()
        try folder.write("manifests/service.json", text)
        try folder.write("config/taskhost/manifests/com.example.a.json", Self.ours)
        let tool = try validate(folder)
        #expect(tool.errors.contains("config/taskhost/manifests/com.example.a.json"), "\(tool.errors)")
        #expect(!tool.errors.contains("service.json"), "\(tool.errors)")
    }

    @Test("is ours when one is in it, sound or not", arguments: [ours, String(ours.dropLast(5))])
    func own(_ text: String) throws {
        let folder = try Folder()
        try folder.write("manifests/service.json", "[]")
        try folder.write("manifests/com.example.a.json", text)
        try folder.write("config/taskhost/manifests/com.example.b.json", Self.ours)
        let tool = try validate(folder)
        #expect(tool.errors.contains("manifests/com.example.a.json:"), "\(tool.errors)")
        #expect(!tool.errors.contains("com.example.b.json"), "\(tool.errors)")
    }

    @Test(
        "is not needed by verbs about the machine and the record",
        arguments: [
            ["transfers"], ["device"], ["device", "set", "power=battery"], ["journal"], ["pending"],
            ["cancel", "--all"],
        ])
    func needless(_ words: [String]) throws {
        let folder = try Folder()
        let tool = try Tool.run(words + ["--state", folder.file("state").path], in: folder)
        #expect(tool.status == 0, "\(tool.errors)")
        #expect(!tool.errors.contains("manifest"), "\(tool.errors)")
    }

    @Test("A task whose kind the modes leave out is an error of validate, and a warning to a host")
    func futile() throws {
        let folder = try Folder()
        try folder.write(
            "manifests/com.example.z.json",
            """
            {"identifier": "com.example.z", "backgroundModes": ["fetch"], "tasks": {"com.example.z.crc": {
              "kind": "processing", "handler": {"library": "libz.so.1", "symbol": "crc32", "success": "result == 0",
              "signature": "u64(u64, bytes, u32)", "arguments": [0, {"payload": "bytes"}, {"payload": "length"}]}}}}
            """)
        let checked = try Tool.run("validate", in: folder)
        let words =
            #""processing" among the manifest's backgroundModes; without it every request for the task is refused"#
        #expect(checked.status == 65 && checked.errors.contains(words), "\(checked.errors)")
        let document = try Tool.run("validate", "--json", in: folder).document
        let diagnostics = try #require(document["diagnostics"] as? [[String: Any]])
        #expect(diagnostics.map { $0["severity"] as? String } == ["error"])
        let run = try Tool.run("run", "com.example.z.crc", "--state", folder.file("state").path, in: folder)
        #expect(run.status == 0, "it can still be run by hand: \(run.output)\(run.errors)")
    }
}
