import Foundation
import Testing

@Suite("A manifest without tasks", .plainBuild)
struct WithoutTasksTests {
    private func folder(_ source: String, _ members: String) throws -> Folder {
        let folder = try Folder()
        try folder.makeFolder("m")
        try Plugin.compile(source, to: folder.file("m/libx.so"))
        try folder.write("m/x.json", #"{"identifier": "com.example.bare", "library": "libx.so"\#(members)}"#)
        return folder
    }

    private static let application = """
        #include <taskhost.h>
        static int32_t launch(const taskhost_launch_t *launch) { (void)launch; return 0; }
        TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1 =
            { sizeof(taskhost_application_t), TASKHOST_ABI_VERSION, launch };
        """

    @Test("is good when its library is an application, and its events are listed", arguments: ["", #", "tasks": {}"#])
    func application(_ tasks: String) throws {
        let folder = try folder(Self.application, tasks + #", "backgroundModes": ["fetch", "remote-notification"]"#)
        let validate = try Tool.run("validate", folder.file("m").path)
        #expect(validate.status == 0, "\(validate.errors)")
        #expect(validate.output == "1 of 1 manifests good, 2 tasks\n")
        let list = try folder.ask("list", "--manifests", folder.file("m").path)
        #expect(list.status == 0, "\(list.errors)")
        #expect(list.output.contains("com.example.bare:fetch  backgroundFetch       30 s"), "\(list.output)")
        #expect(list.output.contains("com.example.bare:push   remoteNotification    30 s"), "\(list.output)")
    }

    @Test("is listed itself when it has no events either")
    func bare() throws {
        let folder = try folder(Self.application, "")
        let list = try folder.ask("list", "--manifests", folder.file("m").path)
        #expect(list.output.contains("com.example.bare  application       -  -     never"), "\(list.output)")
        let json = try folder.ask("list", "--json", "--manifests", folder.file("m").path)
        let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [[String: Any]]]
        #expect(document?["tasks"]?.isEmpty == true)
        #expect(document?["applications"]?.map { $0["identifier"] as? String } == ["com.example.bare"])
        #expect(document?["applications"]?.first?["state"] as? String == "notRunning")
    }

    @Test("has a fetch only with its mode, and none beside a task of the kind appRefresh")
    func modes() throws {
        #expect(try words(#", "backgroundModes": ["remote-notification"]"#) == ["push"])
        #expect(try words(#", "backgroundModes": []"#) == [])
        #expect(try words("") == [])
        let refresh = #", "tasks": {"com.example.bare.refresh": {"kind": "appRefresh"}}"#
        #expect(try words(refresh + #", "backgroundModes": ["fetch"]"#) == [])
    }

    /// The events that `list` prints, by the end of their identifiers.
    private func words(_ members: String) throws -> [String] {
        let folder = try folder(Self.application, members)
        let list = try folder.ask("list", "--manifests", folder.file("m").path)
        #expect(list.status == 0, "\(list.errors)")
        return ["fetch", "push"].filter { list.output.contains("com.example.bare:\($0)") }
    }

    @Test("is refused when its library is none, with what to do")
    func noApplication() throws {
        let folder = try folder("void f(void);\nvoid f(void) { }", #", "tasks": {}"#)
        for verb in [["validate"], ["run", "--all", "--state", folder.file("state").path, "--manifests"]] {
            try Tool.run(verb + [folder.file("m").path]).expectSentence(
                [
                    "x.json:1:67: $.tasks: found no task, and ", "libx.so does not export taskhost_application_v1",
                    "expected at least one task, or a library that is an application",
                    #"name the library's functions under "tasks""#,
                ], status: 65)
        }
    }
}
