import Foundation
import Testing

@Suite("taskhost notify, without a daemon", .plainBuild)
struct NotifyTests {
    private static let application = """
        #include <taskhost.h>
        static int32_t launch(const taskhost_launch_t *launch) { (void)launch; return 0; }
        TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1 =
            { sizeof(taskhost_application_t), TASKHOST_ABI_VERSION, launch };
        """

    /// An application with these modes, one without the mode, and one that is none.
    private func folder() throws -> Folder {
        let folder = try Folder()
        try folder.makeFolder("m")
        try Plugin.compile(Self.application, to: folder.file("m/libx.so"))
        try folder.write(
            "m/app.json",
            #"{"identifier":"com.example.app","library":"libx.so","backgroundModes":["fetch","remote-notification"]}"#)
        try folder.write(
            "m/bare.json", #"{"identifier":"com.example.bare","library":"libx.so","backgroundModes":["fetch"]}"#)
        try folder.write("m/com.example.cli.json", try Plugin.manifest())
        return folder
    }

    private func notify(_ folder: Folder, _ application: String, _ words: String...) throws -> Tool {
        try Tool.run(
            ["notify", application, "--state", folder.file("state").path, "--manifests", folder.file("m").path] + words)
    }

    @Test("puts it on record, and the newest takes the place of what waits")
    func records() throws {
        let folder = try folder()
        let first = try notify(folder, "com.example.app", "--payload-text", #"{"aps": {"content-available": 1}}"#)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.hasPrefix("a notification for com.example.app is pending"))
        #expect(first.errors.contains("nothing starts until you run: taskhost serve"))
        try folder.write("payload.json", #"{"n": 2}"#)
        #expect(try notify(folder, "com.example.app", "--payload", folder.file("payload.json").path).status == 0)
        let piped = try Tool.shell(
            "echo '{\"n\": 3}' | \"$taskhost\" notify com.example.app --payload - --json "
                + "--state \(folder.file("state").path) --manifests \(folder.file("m").path)")
        #expect(piped.status == 0, "\(piped.errors)")
        let request = try piped.document
        #expect(request["identifier"] as? String == "com.example.app:push")
        #expect(request["kind"] as? String == "remoteNotification" && request["origin"] as? String == "person")
        let pending = try Tool.run(
            "pending", "--json", "--state", folder.file("state").path, "--manifests", folder.file("m").path)
        #expect((try pending.document["requests"] as? [Any])?.count == 1, "\(pending.output)")
    }

    @Test("refuses what is no object, or too large, with 65 and 64")
    func payloads() throws {
        let folder = try folder()
        func refused(_ text: String, _ words: [String], _ status: Int32) throws {
            try notify(folder, "com.example.app", "--payload-text", text).expectSentence(words, status: status)
        }
        try refused("{", ["the payload is not JSON", "write an object"], 65)
        try refused("", ["the payload is not JSON"], 65)
        try refused("[1]", ["the payload is not a JSON object", "content-available"], 65)
        let full = #"{"a":""# + String(repeating: "x", count: 4096 - 8) + #""}"#
        #expect(full.utf8.count == 4096)
        #expect(try notify(folder, "com.example.app", "--payload-text", full).status == 0)
        #expect(
            try notify(folder, "com.example.app", "--payload-text", "{ " + full.dropFirst()).status == 0,
            "what counts is what is delivered")
        try refused(full.replacing("xx", with: "xxx", maxReplacements: 1), ["has 4097 bytes", "at most 4096"], 64)
        try notify(folder, "com.example.app").expectSentence(["a payload is needed", "--payload FILE"], status: 64)
        try notify(folder, "com.example.app", "--payload", "/nowhere").expectSentence(
            ["the payload cannot be read", "/nowhere"], status: 73)
    }

    @Test("refuses an application that takes none, and says what to do")
    func applications() throws {
        let folder = try folder()
        expect(
            try notify(folder, "com.example.ap", "--payload-text", "{}"),
            ["there is no such application", "did you mean com.example.app?"], status: 64)
        expect(
            try notify(folder, "com.example.bare", "--payload-text", "{}"),
            [
                "does not have the mode for remote notifications", "com.example.bare",
                #"add "remote-notification" to "backgroundModes""#,
            ], status: 17)
        expect(
            try notify(folder, "com.example.cli", "--payload-text", "{}"),
            ["its library is not an application", "com.example.cli", "taskhost_application_v1"], status: 17)
    }

    /// The second sentence: the first says that no daemon serves.
    private func expect(_ tool: Tool, _ words: [String], status: Int32) {
        #expect(tool.status == status && tool.sentences.count == 2, "\(tool)")
        for word in words { #expect(tool.sentences.last?.contains(word) == true, "\(tool.errors)") }
    }

    @Test("An application's own identifier has an answer to why, and its events as well")
    func why() throws {
        let folder = try folder()
        func why(_ identifier: String, _ words: String...) throws -> Tool {
            try Tool.run(
                ["why", identifier, "--state", folder.file("state").path, "--manifests", folder.file("m").path]
                    + words)
        }
        let application = try why("com.example.app")
        #expect(application.status == 0, "\(application.errors)")
        #expect(application.output.hasPrefix("com.example.app is notRunning\nfetch: not asked for\npush: the next one"))
        #expect(application.output.contains("com.example.app:push"))
        #expect(
            try why("com.example.bare").output.contains(
                #"push: its manifest does not have the mode "remote-notification""#))
        let document = try why("com.example.app", "--json").document
        #expect((document["tasks"] as? [[String: Any]])?.count == 2)
        #expect((document["application"] as? [String: Any])?["fetchInterval"] is NSNull)
        #expect(
            try why("com.example.app:fetch").output
                == "nothing is pending: the application requests no fetches; it does so with "
                + "setMinimumBackgroundFetchInterval (set_minimum_fetch_interval in C)\n")
        #expect(try why("com.example.app:push").output.contains("taskhost notify com.example.app\n"))
        // A task's identifier that is its application's too means the task.
        #expect(try why("com.example.cli").output.hasPrefix("nothing is pending; submit a request"))
        expect(try why("com.example.ap"), ["no manifest has this task"], status: 64)
    }
}
