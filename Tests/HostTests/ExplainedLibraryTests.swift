import Foundation
import Glibc
import TestSupport
import Testing

/// What confinement refuses a library is named, by the calls of its worker.
@Suite("A library whose refusals are told")
struct ExplainedLibraryTests {
    private static let task = "com.example.told.task"
    private let folder: TestSupport.Folder
    private let path: String

    init() throws {
        folder = try TestSupport.Folder()
        path = folder.realPath
        try folder.write("open", "x")
        try FileManager.default.createDirectory(atPath: "\(path)/free", withIntermediateDirectories: true)
        for (name, mode) in [("", 0o755), ("open", 0o644), ("free", 0o777)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
        }
    }

    /// Does what each letter of the payload says, and prints the errors; succeeds with an S among them.
    private static let source = """
        #include "taskhost.h"
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void said(char step, long result) { printf("%c%d ", step, result < 0 ? errno : 0); }
        TASKHOST_EXPORT void handle(taskhost_task_t *task) {
            taskhost_bytes_t steps = task->payload;
            int succeeds = 0;
            for (size_t i = 0; i < steps.length; i += 1) {
                char step = steps.bytes[i];
                switch (step) {
                case 'r': said(step, open("PATH/open", O_RDONLY)); break;
                case 'w': said(step, open("PATH/free/new", O_WRONLY | O_CREAT, 0644)); break;
                case 'l': {
                    char name[512] = "PATH/free/";
                    memset(name + strlen(name), 'x', 255);
                    said(step, open(name, O_WRONLY | O_CREAT, 0644));
                    break;
                }
                case 'm': said(step, mkdir("PATH/free/folder", 0755)); break;
                case 'a': said(step, open("PATH/none", O_RDONLY)); break;
                case 'n': said(step, socket(AF_INET, SOCK_STREAM, 0)); break;
                case 'o': said(step, open("own", O_RDWR | O_CREAT, 0644)); break;
                case 'e': said(step, execl("/bin/true", "true", (char *)NULL)); break;
                case 'f': {
                    pid_t child = fork();
                    if (child == 0) { _exit(open("PATH/open", O_RDONLY) < 0 ? errno : 0); }
                    int status = 0;
                    waitpid(child, &status, 0);
                    printf("f%d ", WEXITSTATUS(status));
                    break;
                }
                case 'c': said(step, wait(NULL)); break;
                case 'd': fflush(stdout); abort();
                case 'p': fprintf(stderr, "complaint\\n"); break;
                case 'S': succeeds = 1; break;
                }
            }
            printf("%d\\n", getpid());
            taskhost_complete(task, succeeds);
        }
        """

    private func station(_ members: [String: Any] = [:], host: String?) throws -> Station {
        let station = try Machine.isRoot && host != nil ? Station(user: Machine.nobody) : Station()
        try station.compile("told", Self.source.replacing("PATH", with: path))
        try station.add(manifest(members))
        return station
    }

    private func manifest(_ members: [String: Any]) -> ManifestText {
        let task: [String: Any] = ["kind": "processing", "handler": "handle", "budget": ["wallClock": "1m"]]
        let own: [String: Any] = [
            "identifier": "com.example.told", "library": "libtold.so", "enforcement": "bestEffort",
            "tasks": [Self.task: task],
        ]
        return ManifestText(members: own.merging(members) { $1 })
    }

    /// - Parameter isAlone: without a daemon.
    private func run(
        _ steps: String, _ station: Station, isAlone: Bool = false
    ) throws -> (document: RunDocument, text: String) {
        let report = try station.finish(
            try station.start(["run", Self.task, "--json", "--payload-text", steps], manifests: isAlone))
        let run = try #require(report[Self.task], "\(report.command)")
        return (run, try station.logs(run).text)
    }

    private func named(_ run: RunDocument) -> [String] {
        // Another test may have the kernel keep its log meanwhile.
        run.diagnostics.filter { $0.hasPrefix("denied:") && $0.hasSuffix("(derived from its calls)") }.map {
            $0.replacing(path, with: "")
        }
    }

    private static func derived(_ words: [String]) -> [String] {
        words.map { "denied: \($0) (derived from its calls)" }
    }

    @Test(
        "names each in the run after one that failed, and changes nothing else",
        arguments: SocketGrantTests.hosts, ["zygote", "exec", "run"])
    func named(_ host: String?, isolation: String) throws {
        let station = try station(["isolation": isolation], host: host)
        let daemon = try Daemon(station)
        let first = try run("rwmanoefcd", station)
        #expect(first.document.outcome == "crashed" && named(first.document).isEmpty, "\(first)")
        let second = try run("rwmanoefcd", station)
        #expect(second.text == first.text && second.text.hasPrefix("r13 w13 m13 a2 n13 o0 e1 f13 c10 "), "\(second)")
        #expect(second.document.outcome == "crashed")
        #expect(
            named(second.document)
                == Self.derived([
                    "connect to the network; permissions.network",
                    "write /free, to create new in it; permissions.write", "read /open; permissions.read",
                    "execve; no permission allows it",
                ]), "\(second.document.diagnostics)")
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    private func process(_ run: (document: RunDocument, text: String)) -> Substring? {
        run.text.split(separator: "\n").last?.split(separator: " ").last
    }

    @Test("takes the place of a worker whose run failed, for that once: others stay")
    func followed() throws {
        let station = try station(host: nil)
        let daemon = try Daemon(station)
        let runs = try ["S", "r", "r", "rS", "r", "a"].map { try run($0, station) }
        let processes = runs.map(process)
        #expect(
            runs.map { named($0.document) }
                == [[], [], Self.derived(["read /open; permissions.read"]), [], [], []])
        #expect(processes[0] == processes[1] && processes[3] == processes[4] && processes[4] == processes[5])
        #expect(Set(processes).count == 3, "\(processes)")
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("stays for the task that failed, whatever another task of the application does meanwhile")
    func another() throws {
        let other = "com.example.told.other"
        func task(_ handler: String) -> [String: Any] { ["kind": "processing", "handler": handler] }
        let station = try station(["tasks": [Self.task: task("handle"), other: task("handle")]], host: nil)
        let daemon = try Daemon(station)
        #expect(try named(run("r", station).document).isEmpty)
        let report = try station.finish(
            try station.start(["run", other, "--json", "--payload-text", "S"], manifests: false))
        #expect(report[other]?.outcome == "succeeded", "\(report.command)")
        #expect(try named(run("r", station).document) == Self.derived(["read /open; permissions.read"]))
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }

    @Test("names names that are too long for a sentence, and ends nothing for them")
    func long() throws {
        let station = try station(host: nil)
        let daemon = try Daemon(station)
        #expect(try run("l", station).document.outcome == "failed")
        let run = try run("lr", station).document
        #expect(run.outcome == "failed" && named(run).count == 2, "\(run)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("is for a new manifest in a running host too, and for a run that complains")
    func changed() throws {
        let station = try station(host: nil)
        let daemon = try Daemon(station)
        #expect(try named(run("rpS", station).document).isEmpty)
        try station.add(manifest(["isolation": "run"]))
        try daemon.tell("reload")
        #expect(try named(run("rpS", station).document) == Self.derived(["read /open; permissions.read"]))
        #expect(try named(run("rpS", station).document).isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("is remembered by the record: `run` without a daemon names it the second time")
    func remembered() throws {
        let station = try station(host: nil)
        #expect(try named(run("r", station, isAlone: true).document).isEmpty)
        #expect(try named(run("r", station, isAlone: true).document) == Self.derived(["read /open; permissions.read"]))
    }

    @Test(
        "is in Swift, and an application of iOS with Foundation, whose process stays",
        .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
    func swift() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.echo")
        let daemon = try Daemon(station)
        let (scrub, feeds) = ("com.example.scrub", "org.taskhost.examples.feed-refresh")
        for (identifier, library, task) in [
            (
                scrub, "libScrub.so",
                ["kind": "processing", "handler": "scrub", "settings": ["folder": path]] as [String: Any]
            ),
            (feeds, "libFeedRefresh.so", ["kind": "appRefresh", "settings": ["feeds": ["http://127.0.0.1:9/"]]]),
        ] {
            try station.add(
                ManifestText(members: [
                    "identifier": identifier, "library": try Places.products.appending(path: library).path,
                    "enforcement": "bestEffort", "tasks": [identifier: task],
                ]))
        }
        try daemon.tell("reload")
        let network = "connect to the network; permissions.network"
        for (identifier, refusal) in [(scrub, "read ; permissions.read"), (feeds, network), (feeds, network)] {
            let report = try station.finish(try station.start(["run", identifier, "--json"], manifests: false))
            let run = try #require(report[identifier], "\(report.command)")
            let denial = Self.derived([refusal])
            #expect(run.outcome == "failed" && named(run).contains(denial[0]), "\(run)")
        }
        #expect(try daemon.stop().status == 0)
        station.expectNothingLeft()
    }
}
