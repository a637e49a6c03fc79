import Foundation
import TestSupport
import Testing

@Suite("Background URL sessions")
struct TransferTests {
    private static let session = "org.example.session"

    private func run(options: [String] = [], _ steps: [String]) throws -> (lines: [String], command: Command) {
        let folder = try Folder()
        // Cookies are kept below it.
        let environment = ["HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path]
        return try Worker.run(
            "Transfers", options: options + ["--folder", folder.url.path], environment: environment, steps)
    }

    private func tell(_ command: String, _ value: String = "") -> String {
        #"push={"do": "\#(command)", "with": "\#(value)"}"#
    }
    private func wait(_ text: String) -> String { "text=\(text)" }

    private var make: [String] { ["state=2", tell("make", Self.session)] }

    @Test("a session is opened and waits for its events; calls of its tasks reach the host in order")
    func creation() throws {
        let lines = try run(make + [tell("download", "a")]).lines
        let told = [
            "open", "replay", "create", "text", "priority", "expected", "earliest", "resume", "suspend", "task",
        ]
        let heard = lines.filter { line in told.contains { line.hasPrefix($0 + " ") } }
        #expect(
            heard == [
                "open \(Self.session) flags 31 connections 6 timeouts 60 3600", "replay 9",
                "create 1 kind 1 GET http://example.com/a file [] resume [] headers 1", "text 1 a", "priority 1 0.75",
                "expected 1 -1 5", "earliest 1 2000000000", "resume 1", "suspend 1", "resume 1", "task 1 /a true",
            ], "\(lines)")
        #expect(lines.contains("made BackgroundSession \(Self.session) true"))
    }

    @Test("an application that is called for a session's events receives them after that, in order, each acknowledged")
    func relaunch() throws {
        let lines = try run(
            options: ["--known", "http://example.com/1", "--known", "http://example.com/2"],
            [
                "state=3", "session=\(Self.session)", "told=7:1:one", "told=9:1:0", "told=9:2:-1001", "told=11",
                wait("handled"), wait("acknowledged 4"),
            ]
        ).lines
        let steps = lines.drop { !$0.hasPrefix("handleEvents") }.filter { line in
            !["open", "made", "assertion"].contains { line.hasPrefix($0) }
        }
        #expect(
            Array(steps.prefix(12)) == [
                "handleEvents \(Self.session) true", "replay 9", "handleEvents returns",
                "delegate didFinishDownloadingTo 1 one 404", "acknowledged 1",
                "delegate didCompleteWithError 1 nil no reason no data status 404 completed",
                "delegate the file is gone",
                "acknowledged 2",
                "delegate didCompleteWithError 2 NSURLErrorDomain -1001 no reason no data status 0 completed",
                "delegate the file is gone", "acknowledged 3", "delegate urlSessionDidFinishEvents \(Self.session)",
            ], "\(lines)")
        // The completion handler is called on the main queue, beside the delegate's.
        #expect(steps.contains("acknowledged 4"))
        #expect(lines.last == "handled \(Self.session)" || lines.contains("handled \(Self.session)"))
    }

    @Test(
        "a delegate may have the asynchronous form alone; without either form it is done at once when no session is open"
    )
    func asynchronous() throws {
        let folder = try Folder()
        func lines(_ library: String) throws -> [String] {
            try Worker.run(
                library, options: ["--folder", folder.url.path],
                ["state=3", "session=\(Self.session)", wait("handled \(Self.session)")]
            ).lines.filter { $0.hasPrefix("handle") }
        }
        #expect(
            try lines("AsyncSessions") == [
                "handleEvents \(Self.session) true", "handleEvents is done true", "handled \(Self.session)",
            ])
        #expect(try lines("AsyncPush") == ["handled \(Self.session)"])
    }

    @Test("tasks of an earlier life are there with their numbers and descriptions, and a force-quit ends them")
    func earlier() throws {
        let lines = try run(
            options: ["--known", "http://example.com/1"],
            make + [
                tell("list"), wait("heard tasks"), tell("download", "new"), "told=9:1:-999",
                wait("acknowledged 1"),
            ]
        ).lines
        #expect(lines.contains(#"tasks ["1 of old 7"]"#), "\(lines)")
        #expect(
            lines.contains("delegate didCompleteWithError 1 NSURLErrorDomain -999 reason 0 no data status 0 completed"))
    }

    @Test("tasks whose end is not delivered yet have their state, are not listed, and receive it")
    func earlierEnds() throws {
        let lines = try run(
            options: (1...4).flatMap { ["--known", "http://example.com/\($0)", "--known-state", "\($0 - 1)"] },
            make + [tell("list"), wait("heard tasks"), "told=9:4:0", wait("acknowledged 1")]
        ).lines
        // Running and suspended ones; one that is being cancelled, or has ended, does not count.
        #expect(lines.contains(#"tasks ["1 of old 7", "2 of old 7"]"#), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("delegate didCompleteWithError 4 nil ") }, "\(lines)")
    }

    @Test("of progress that comes while the delegate works one is left, and the delegate's queue is honoured")
    func progress() throws {
        let lines = try run(
            [
                "state=2", tell("make-main", Self.session), tell("download", "a"), "told=1:1:10",
                wait("heard didWriteData"),
            ]
                + (11...40).map { "told=1:1:\($0)" } + ["told=9:1:0", wait("acknowledged 1")]
        ).lines
        let written = lines.filter { $0.hasPrefix("delegate didWriteData") }
        #expect(written.first == "delegate didWriteData 1 10 10 100")
        #expect(written.last == "delegate didWriteData 1 30 40 100")
        #expect(written.count < 6, "\(lines)")
        #expect(!lines.contains { $0.contains("wrong thread") })
    }

    @Test("an upload has its answer before its end, and its own progress")
    func upload() throws {
        let lines = try run(
            make + [
                tell("upload", "u"), wait("resume 1"), "told=1:1:60", "told=4:1:201", "told=8:1:thanks", "told=9:1:0",
                wait("acknowledged 2"),
            ]
        ).lines
        #expect(lines.contains("create 1 kind 2 GET http://example.com/u file [/tmp/photo] resume [] headers 1"))
        #expect(
            lines.filter { $0.hasPrefix("delegate ") } == [
                "delegate didSendBodyData 1 60 60 100", "delegate didReceive response 1 201",
                "delegate didReceive 1 thanks",
                "delegate didCompleteWithError 1 nil no reason no data status 404 completed",
            ], "\(lines)")
    }

    @Test("questions are answered once, credentials and new requests reach the host")
    func questions() throws {
        let lines = try run(
            make + [
                tell("download", "a"), "told=6:1:1", "told=6:1:5", "told=5:1", "told=2:1",
                "told=3:1:50",
                wait("heard didResumeAtOffset"),
            ]
        ).lines
        #expect(
            lines.filter {
                $0.hasPrefix("delegate ") || $0.hasPrefix("answer ") || $0.hasPrefix("report the completion")
            } == [
                "delegate didReceive challenge 1 NSURLAuthenticationMethodHTTPBasic", "answer 1 kind 1 [u] [p] ",
                "delegate didReceive challenge of the session NSURLAuthenticationMethodServerTrust",
                "answer 1 kind 2 [] [] ",
                "delegate willBeginDelayedRequest 1 /a", "answer 1 kind 5 [] [] http://example.com/other",
                "report the completion handler of willBeginDelayedRequest was called more than once; the first answer "
                    + "counts; call it once",
                "delegate taskIsWaitingForConnectivity 1", "delegate didResumeAtOffset 1 50 100",
            ], "\(lines)")
    }

    @Test("resume data come once, by the handler and in the error, and go back to the host")
    func resumeData() throws {
        let lines = try run(
            make + [
                tell("download", "a"), tell("resumable"), wait("cancel 1 1"), "told=10:1:here",
                "told=9:1:-1005",
                wait("resume 2"),
            ]
        ).lines
        #expect(lines.contains("resume data some"))
        #expect(
            lines.contains("delegate didCompleteWithError 1 NSURLErrorDomain -1005 no reason data status 0 completed"))
        #expect(
            lines.contains("create 2 kind 1 GET http://example.com/a file [] resume [from here] headers 1"), "\(lines)")
    }

    @Test("resume data of an upload come likewise, and go back with its file; others make a task that fails")
    func uploadResumeData() throws {
        let lines = try run(
            make + [
                tell("upload", "u"), tell("resumable-upload"), wait("cancel 1 1"), "told=10:1:here", "told=9:1:-1005",
                wait("resume 2"),
            ]
        ).lines
        #expect(lines.contains("resume data some"))
        #expect(
            lines.contains("delegate didCompleteWithError 1 NSURLErrorDomain -1005 no reason data status 0 completed"))
        #expect(
            lines.contains("create 2 kind 2 GET http://example.com/u file [/tmp/photo] resume [from here] headers 1"),
            "\(lines)")
        let others = try run(make + [tell("foreign-upload"), wait("heard didCompleteWithError")]).lines
        #expect(others.contains { $0.hasPrefix("delegate didCompleteWithError") && $0.contains("-1015") }, "\(others)")
    }

    @Test("cookies of an answer go to the session's storage, and along with the next request")
    func cookies() throws {
        let lines = try run(
            make + [
                tell("download", "a"), "told=9:1:0 cookies", wait("heard didCompleteWithError"), tell("download", "b"),
                wait("create 2"),
            ]
        ).lines
        #expect(lines.contains("create 1 kind 1 GET http://example.com/a file [] resume [] headers 1"), "\(lines)")
        #expect(lines.contains("create 2 kind 1 GET http://example.com/b file [] resume [] headers 2"), "\(lines)")
    }

    @Test("an invalidated session says so when its tasks and their events have ended, and can be made again")
    func invalidation() throws {
        let lines = try run(
            make + [
                tell("download", "a"), "session=\(Self.session)", tell("invalidate"),
                wait("cancel 1 0"),
                "told=9:1:-999", "told=11", wait("heard didBecomeInvalid"), tell("forget"), tell("make", Self.session),
            ]
        ).lines
        let heard = lines.filter { line in
            ["open", "invalidate", "acknowledged", "delegate didB", "delegate urlS"].contains { line.hasPrefix($0) }
        }
        .map { $0.components(separatedBy: " flags")[0] }
        #expect(
            heard.prefix(6) == [
                "open \(Self.session)", "acknowledged 1", "delegate urlSessionDidFinishEvents \(Self.session)",
                "acknowledged 2", "invalidate 9", "delegate didBecomeInvalidWithError true",
            ], "\(lines)")
        #expect(heard.dropFirst(6).first == "open \(Self.session)")
    }

    @Test("a second session of one identifier shares the first one's tasks, and the journal says so")
    func twins() throws {
        let lines = try run(
            make + [tell("twin", Self.session), wait("resume 1"), "told=9:1:0", wait("acknowledged 1")]
        ).lines
        #expect(lines.filter { $0.hasPrefix("open") }.count == 1)
        #expect(
            lines.contains {
                $0.hasPrefix("report A background URLSession with identifier \(Self.session) already exists!")
            })
        #expect(
            lines.contains("delegate didCompleteWithError 1 nil no reason no data status 404 completed"), "\(lines)")
    }

    @Test("a delegate without the method is done at once when no process has the session open")
    func withoutMethod() throws {
        let folder = try Folder()
        let lines = try Worker.run(
            "Fetching", options: ["--folder", folder.url.path],
            ["state=3", "session=org.example.none", wait("handled")]
        ).lines
        #expect(lines.contains("handled org.example.none"), "\(lines)")
    }

    @Test("another process has the session: the tasks of a dead one fail with -996")
    func inUse() throws {
        let lines = try run(
            options: ["--in-use", "1"], make + [tell("download", "a"), wait("heard didCompleteWithError")]
        )
        .lines
        #expect(
            lines.contains(
                "delegate didCompleteWithError 1 NSURLErrorDomain -996 no reason no data status 0 completed"),
            "\(lines)")
        #expect(lines.contains { $0.contains("is dead, and its tasks fail: another process has it") })
    }

    @Test("what a background session does not have is refused in the framework's words")
    func misuse() throws {
        let sentences = [
            "closure": "Completion handler blocks are not supported in background sessions. Use a delegate instead.",
            "data": "Upload tasks from NSData are not supported in background sessions.",
        ]
        for (command, sentence) in sentences {
            let strict = try run(options: ["--strict", "1"], make + [tell(command), wait("never")])
            #expect(!strict.command.succeeded)
            #expect(strict.command.output.contains("'NSGenericException', reason: '\(sentence)'"), "\(strict.lines)")
            let lenient = try run(
                options: ["--strict", "0"], make + [tell(command), wait("heard didCompleteWithError")]
            )
            .lines
            #expect(lenient.contains { $0.hasPrefix("report \(sentence)") }, "\(lenient)")
            #expect(lenient.contains("closure false") == (command == "closure"))
        }
        let foreign = try run(
            options: ["--strict", "0"], make + [tell("foreign"), wait("heard didCompleteWithError")]
        ).lines
        #expect(foreign.contains { $0.contains("NSURLErrorDomain -1015") }, "\(foreign)")
    }
}
