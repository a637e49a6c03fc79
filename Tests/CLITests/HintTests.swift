import Foundation
import TestSupport
import Testing

/// What to do next, for users at a terminal.
@Suite("After a failure", .plainBuild)
struct HintTests {
    @Test("a terminal shows the verbs that print more, and a file does not")
    func failed() throws {
        let folder = try Folder()
        try folder.write(
            "m/com.example.hint.json",
            #"""
            {"identifier": "com.example.hint", "tasks": {
              "com.example.hint.bad": {"kind": "processing", "handler": {"command": ["/bin/false"]}},
              "com.example.hint.good": {"kind": "processing", "handler": {"command": ["/bin/true"]}}}}
            """#)
        let words = "run --all --manifests '\(folder.file("m").path)' --state '\(folder.file("state").path)'"
        let quiet = try Tool.shell("$taskhost \(words)", in: folder)
        #expect(quiet.status == 1 && !quiet.errors.contains("taskhost show"), "\(quiet)")
        let seen = try Tool.shell("script -qec \"$taskhost \(words)\" /dev/null", in: folder)
        let hints = seen.output.matches(
            of: /com\.example\.hint\.(\w+): failed; see taskhost show (\w{26}) and taskhost logs (\w{26})/)
        #expect(seen.status == 1 && hints.count == 1, "\(seen)")
        let hint = try #require(hints.first)
        #expect(hint.1 == "bad" && hint.2 == hint.3)
    }
}
