import Foundation
import Testing

/// Names from real applications: `_`, and one part alone.
@Suite("Identifiers as iOS allows them", .plainBuild)
struct IdentifierTests {
    private static let task = "com.feed.database_cleaning"
    private static func manifest(_ library: String) -> String {
        """
        {
          "identifier": "updateSituation", "library": "\(library)", "backgroundModes": ["processing"],
          "tasks": {
            "\(task)": { "kind": "processing", "handler": "succeed" },
            "_export.*": { "kind": "continuedProcessing", "handler": "succeed" }
          }
        }
        """
    }

    @Test("name tasks, applications, their folders and what is submitted")
    func everywhere() throws {
        let folder = try Folder()
        try folder.write("m/it.json", Self.manifest(try Plugin.library.path))
        let places = ["--manifests", folder.file("m").path, "--state", folder.file("state").path]
        #expect(try Tool.run("validate", folder.file("m").path).status == 0)
        let all = try Tool.run(["run", "updateSituation", "--json"] + places)
        #expect(all.status == 0, "\(all.errors)")
        #expect(all.output.contains(#""identifier":"\#(Self.task)","application":"updateSituation""#), "\(all.output)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.file("state/applications").path)
        #expect(folders == ["updateSituation"])

        let host = try BackgroundTool(["serve"] + places)
        #expect(host.waitFor("serving "))
        let submitted = try folder.ask("submit", Self.task, "--earliest", "+7d")
        #expect(submitted.status == 0, "\(submitted.errors)")
        #expect(try folder.ask("pending").output.contains(Self.task))
        #expect(try folder.ask("why", Self.task).status == 0)
        #expect(try folder.ask("cancel", Self.task).output == "1 request taken back\n")
        #expect(host.end(SIGTERM) == 0)
    }

    @Test("never look like a run's id")
    func runs() throws {
        let folder = try Folder()
        let text = Self.manifest(try Plugin.library.path)
            .replacing("updateSituation", with: "01ARZ3NDEKTSV4RRFFQ69G5FAV")
        try folder.write("m/it.json", text)
        try Tool.run("validate", folder.file("m").path).expectSentence(["$.identifier", "run's id"], status: 65)
    }
}
