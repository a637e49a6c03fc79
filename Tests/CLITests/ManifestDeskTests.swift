import CLI
import Control
import Foundation
import JSON
import PageDoor
import Setting
import TaskModel
import TestSupport
import Testing

/// Manifests that the page reads and writes, without a page.
@Suite("Editing manifests")
final class ManifestDeskTests {
    private let folder: Folder
    private let desk = ManifestDesk(AccountRules(HostConfiguration()))
    private var path: String { folder.file("m/com.example.job.json").path }
    private var known: KnownManifests { KnownManifests(paths: [path], places: [folder.file("m").path]) }

    init() throws {
        folder = try Folder()
        try folder.makeFolder("m")
        try folder.write("m/com.example.job.json", Self.text())
    }

    /// - Parameter more: members of the application.
    private static func text(_ identifier: String = "com.example.job", _ more: String = "") -> String {
        """
        {
          "identifier": "\(identifier)",
          "tasks": {"\(identifier).run": {"kind": "processing", "handler": {"command": ["/bin/true"]}}}\(more)
        }

        """
    }

    private struct Reply {
        var status: Int
        var document: JSONValue
        var detail: String { document["detail"]?.string ?? "" }
        var faults: [JSONValue] { document["faults"]?.array ?? [] }

        init(_ status: Int, _ bytes: [UInt8]) throws {
            self.status = status
            document = try JSONParser.parse(bytes, maximumBytes: 1 << 24)
        }
    }

    private func reply(_ work: () throws(Control.Problem) -> ControlReply) throws -> Reply {
        let reply: ControlReply
        do throws(Control.Problem) {
            reply = try work()
        } catch {
            reply = .problem(error)
        }
        return try Reply(reply.status, reply.body)
    }

    private func show(_ path: String? = nil, isReadOnly: Bool = false) throws -> Reply {
        try reply { () throws(Control.Problem) in
            .json(try desk.show(path ?? self.path, of: known, isReadOnly: isReadOnly))
        }
    }

    private func write(_ text: String, at path: String?, replacing digest: String?) throws -> Reply {
        try reply { () throws(Control.Problem) in
            try desk.write(text, at: path, replacing: digest, of: known)
        }
    }

    private func check(_ text: String, at path: String?) throws -> [JSONValue] {
        try reply { () throws(Control.Problem) in .json(try desk.check(text, at: path, of: known)) }.faults
    }

    private func digest() throws -> String { try #require(try show().document["digest"]?.string) }

    private func content(_ name: String = "m/com.example.job.json") throws -> String {
        try String(contentsOf: folder.file(name), encoding: .utf8)
    }

    // MARK: Reading

    @Test("shows a manifest's text, its SHA-256 and that it can be written")
    func shows() throws {
        let shown = try show()
        #expect(shown.status == 200 && shown.document["text"]?.string == Self.text())
        let sum = try Command.run("sha256sum", [path]).output
        #expect(sum.hasPrefix(try digest() + " "), "\(sum)")
        #expect(shown.document["mayWrite"]?.bool == true && shown.document["why"]?.compactText == "null")
        #expect(shown.faults.isEmpty && shown.document["path"]?.string == path)
        let read = try show(isReadOnly: true).document
        #expect(read["mayWrite"]?.bool == false && read["why"]?.string?.contains("--read-only") == true)
        try FileManager.default.removeItem(atPath: path)
        #expect(try show().status == 404)
    }

    @Test("finds the faults of a text with their places, as validate does, and writes nothing")
    func faults() throws {
        let text = Self.text().replacing(#""kind": "processing""#, with: #""kind": "procesing""#)
        let faults = try check(text, at: path)
        let fault = try #require(faults.first)
        #expect(fault["line"]?.integer == 3 && fault["isError"]?.bool == true)
        #expect(fault["column"]?.integer == 45, "\(fault.compactText)")
        #expect(fault["path"]?.string == #"$.tasks["com.example.job.run"].kind"#)
        #expect(fault["found"]?.string == #""procesing""#)
        try folder.write("other/com.example.job.json", text)
        let validated = try Tool.run(["validate", folder.file("other").path])
        let sentence = try #require(fault["text"]?.string)
        #expect(validated.errors.contains(sentence.replacing(path, with: "other/com.example.job.json").dropFirst(5)))
        // What is missing on this machine is a fault as well.
        let missing = Self.text().replacing("/bin/true", with: "/nonexistent/true")
        #expect(try check(missing, at: path).contains { $0["found"]?.string?.contains("/nonexistent/true") == true })
        #expect(try check("{", at: nil).count == 1)
        #expect(try check(Self.text(), at: path).isEmpty)
        #expect(try content() == Self.text())
    }

    @Test("finds what contradicts another manifest, and not the other's faults")
    func conflicts() throws {
        try folder.write("m/com.example.bad.json", "{")
        let other = try check(Self.text("com.example.job"), at: folder.file("m/a.json").path)
        #expect(other.count == 1 && other[0]["found"]?.string?.contains("com.example.job.json") == true, "\(other)")
        #expect(try check(Self.text("com.example.new"), at: nil).isEmpty)
        #expect(try check(Self.text(), at: path).isEmpty)
    }

    // MARK: Writing

    @Test("replaces the text that was edited, keeps the file's mode, and leaves nothing behind")
    func replaces() throws {
        try folder.setMode(0o640, of: "m/com.example.job.json")
        let text = Self.text("com.example.job", #", "name": "Job""#)
        let written = try write(text, at: path, replacing: try digest())
        #expect(written.status == 200, "\(written)")
        #expect(written.document["path"]?.string == path && written.faults.isEmpty)
        #expect(written.document["digest"]?.string == (try digest()))
        #expect(try content() == text)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("m").path) == ["com.example.job.json"])
    }

    @Test("refuses a text that replaces another than the one that was edited")
    func conflict() throws {
        let digest = try digest()
        let newer = Self.text("com.example.job", #", "version": "2""#)
        try folder.write("m/com.example.job.json", newer)
        let late = try write(Self.text(), at: path, replacing: digest)
        #expect(late.status == 409 && late.detail.contains("read it again"), "\(late)")
        #expect(try write(Self.text(), at: path, replacing: nil).status == 409)
        try FileManager.default.removeItem(atPath: path)
        #expect(try write(Self.text(), at: path, replacing: digest).status == 409)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("refuses a text with errors, and takes one with warnings")
    func errors() throws {
        let digest = try digest()
        let bad = try write("{", at: path, replacing: digest)
        #expect(bad.status == 422 && bad.faults.count == 1 && bad.faults[0]["isError"]?.bool == true)
        #expect(bad.document["type"]?.string == "urn:taskhost:problem:bad-manifest")
        #expect(try write(Self.text().replacing("/bin/true", with: "bin"), at: path, replacing: digest).status == 422)
        #expect(try write("x", at: nil, replacing: nil).status == 422)
        #expect(try content() == Self.text())
        let warned = Self.text().replacing(#"["/bin/true"]"#, with: #"["/bin/sh", "-c", "ping -c1 example.com"]"#)
        let faults = try check(warned, at: path)
        #expect(!faults.isEmpty && faults.allSatisfy { $0["isError"]?.bool == false })
        #expect(try write(warned, at: path, replacing: digest).status == 200)
    }

    @Test(
        "refuses aloud to decide whose rights programs have",
        arguments: [
            (#", "confinement": "none", "user": "root""#, #"sets "confinement": "none""#),
            (#", "confinement": "none""#, #"sets "confinement": "none""#),
            (#", "user": "nobody""#, #"sets or changes "user""#), (#", "user": null"#, #"sets or changes "user""#),
            (#", "permissions": {"capabilities": ["kill"]}"#, "grants the capability kill"),
            (#", "transfers": {"certificate": "/etc/a.pem", "key": "/etc/b.pem"}"#, "has the host read /etc/a.pem"),
            (#", "confinement": "full", "user": "root", "group": "root""#, #"sets or changes "user""#),
        ])
    func rights(_ more: String, _ words: String) throws {
        let text = Self.text("com.example.job", more)
        for (path, digest) in [(path, try digest()), (folder.file("m/com.example.new.json").path, nil), (nil, nil)] {
            let identifier = digest == nil ? "com.example.new" : "com.example.job"
            let refused = try write(
                text.replacing("com.example.job", with: identifier), at: path, replacing: digest)
            #expect(refused.status == 403 && refused.detail.contains(words), "\(refused)")
            #expect(refused.detail.contains("by hand: edit the file"))
        }
        #expect(try content() == Self.text())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("m").path).count == 1)
    }

    @Test("gives no task a file that the host reads for it, beyond those that it has")
    func secrets() throws {
        let mine = Self.text().replacing(#""kind""#, with: #""secrets": {"token": "/etc/token"}, "kind""#)
        try folder.write("m/com.example.job.json", mine)
        let other = try write(
            mine.replacing("/etc/token", with: "/etc/shadow"), at: path, replacing: try digest())
        #expect(other.status == 403 && other.detail.contains("has the host read /etc/shadow"), "\(other)")
        #expect(try content() == mine)
        let kept = try write(mine.replacing("/bin/true", with: "/bin/false"), at: path, replacing: try digest())
        #expect(kept.status != 403, "\(kept)")
    }

    @Test("lets rights stay that the file has, and lets programs be confined")
    func kept() throws {
        let user = try Command.run("id", ["-un"]).output.split(separator: "\n").first.map(String.init) ?? ""
        let rights = #", "confinement": "none", "user": "\#(user)""#
        try folder.write("m/com.example.job.json", Self.text("com.example.job", rights))
        let named = Self.text("com.example.job", rights + #", "name": "Job""#)
        let kept = try write(named, at: path, replacing: try digest())
        #expect(kept.status == 200, "\(kept)")
        let other = Self.text("com.example.job", rights.replacing(user, with: "daemon"))
        #expect(try write(other, at: path, replacing: try digest()).status == 403)
        #expect(try write(Self.text(), at: path, replacing: try digest()).status == 403, "without the user")
        // Of a text that is none, nothing stays.
        try folder.write("m/com.example.job.json", "{ " + named)
        #expect(try write(named, at: path, replacing: try digest()).status == 403)
    }

    @Test("follows no link, and parts no names")
    func links() throws {
        try FileManager.default.moveItem(at: folder.file("m/com.example.job.json"), to: folder.file("m/real"))
        for target in ["real", "../outside.json", "/etc/passwd"] {
            try? FileManager.default.removeItem(atPath: path)
            try folder.write("outside.json", Self.text())
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            let refused = try write(Self.text(), at: path, replacing: String(repeating: "0", count: 64))
            #expect(refused.status == 403 && refused.detail.contains("symbolic link"), "\(refused)")
            #expect(try write(Self.text(), at: path, replacing: nil).status == 409)
            // One inside of the folder is read, as the daemon reads it.
            let shown = try show()
            #expect(shown.status == (target == "real" ? 200 : 403), "\(target): \(shown)")
            if target == "real" { #expect(shown.document["mayWrite"]?.bool == false) }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.linkItem(at: folder.file("m/real"), to: folder.file("m/com.example.job.json"))
        let refused = try write(Self.text(), at: path, replacing: try digest())
        #expect(refused.status == 403 && refused.detail.contains("it has 2 names"), "\(refused)")
        try FileManager.default.removeItem(atPath: path)
        try folder.makeFolder("m/com.example.job.json")
        #expect(try write(Self.text(), at: path, replacing: "").detail.contains("no regular file"))
        #expect(try show().status == 403)
    }

    @Test("writes in folders alone that nobody else can change")
    func folders() throws {
        let digest = try digest()
        try folder.setMode(0o777, of: "m")
        let refused = try write(Self.text(), at: path, replacing: digest)
        #expect(refused.status == 403 && refused.detail.contains("can be written by others"), "\(refused)")
        let shown = try show()
        #expect(shown.document["mayWrite"]?.bool == false && shown.document["why"]?.string?.contains("others") == true)
        #expect(try write(Self.text("com.example.new"), at: nil, replacing: nil).status == 403)
    }

    // MARK: New ones

    @Test("puts a new manifest beside the others, and takes no other place")
    func new() throws {
        let text = Self.text("com.example.new")
        for other in [
            "m/com.example.new.txt", "m/sub/com.example.new.json", "com.example.new.json", "m/../com.example.new.json",
            "m/.json", "m/schema.json", "m/-.json", "m/.x.json", "n/com.example.new.json",
        ] {
            let refused = try write(text, at: folder.path + "/" + other, replacing: nil)
            #expect(refused.status == 403, "\(other): \(refused)")
        }
        #expect(try write(text, at: "m/com.example.new.json", replacing: nil).status == 403)
        #expect(try write(text, at: folder.file("m/com.example.new.json").path, replacing: "0").status == 404)
        let made = try write(text, at: nil, replacing: nil)
        #expect(made.status == 201, "\(made)")
        #expect(made.document["path"]?.string == folder.file("m/com.example.new.json").path)
        #expect(try content("m/com.example.new.json") == text)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("m/com.example.new.json").path)
        #expect(((attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o022 == 0)
        #expect(try write(text, at: folder.file("m/com.example.new.json").path, replacing: nil).status == 409)
    }

    @Test(
        "proposes a manifest for a command, which has no faults and can be written",
        arguments: [
            ("every 1h", #""every": "1h""#), ("30 4 * * mon", #""calendar": "30 4 * * MON""#),
            ("@daily", #""calendar": "0 0 * * *""#), ("@reboot", #""boot": true"#), (nil, #""command": ["#),
        ] as [(String?, String)])
    func proposes(_ schedule: String?, _ part: String) throws {
        let job = ProposedJob(
            identifier: "com.example.backup", command: ["sh", "-c", "echo \"$HOME\""], schedule: schedule)
        let proposed = try reply { () throws(Control.Problem) in .json(try desk.propose(job, of: known)) }
        #expect(proposed.document["path"]?.string == folder.file("m/com.example.backup.json").path)
        let text = try #require(proposed.document["text"]?.string)
        #expect(text.contains(part) && text.contains(#"echo \"$HOME\""#) && text.contains(#"/bin/sh""#), "\(text)")
        let path = proposed.document["path"]?.string
        #expect(try check(text, at: path).map(\.compactText) == [])
        #expect(try write(text, at: path, replacing: nil).status == 201)
        #expect(try content("m/com.example.backup.json") == text)
    }

    @Test("names what of a job is none")
    func badJobs() throws {
        for (identifier, schedule, place) in [
            ("no identifier", nil, "$.identifier"), ("../x", nil, "$.identifier"), ("a.b", "every", "$.schedule"),
            ("a.b", "every so often", "$.schedule"), ("a.b", "61 * * * *", "$.schedule"),
            ("a.b", "* * * *", "$.schedule"), ("a.b", "* * * * * rm", "$.schedule"), ("a.b", "@never", "$.schedule"),
        ] as [(String, String?, String)] {
            let job = ProposedJob(identifier: identifier, command: ["/bin/true"], schedule: schedule)
            let refused = try reply { () throws(Control.Problem) in .json(try desk.propose(job, of: known)) }
            #expect(refused.status == 400, "\(schedule ?? identifier): \(refused)")
            #expect(refused.document["errors"]?.array?.first?["path"]?.string == place)
        }
    }
}
