import Confining
import Glibc
import Linux
import Testing
import Wire

@testable import Worker

@Suite("The way from a plan to grants")
struct ConfinementPlanTests {
    /// A file system of links alone: every other path is a folder or file.
    private static func resolver(_ links: [String: String], absent: Set<String> = []) -> GrantResolver {
        func entry(_ path: String) -> GrantResolver.Entry {
            if absent.contains(path) { return .absent(ENOENT) }
            return links[path].map { .link($0) } ?? .other
        }
        return GrantResolver(
            entry: entry,
            isFreeOfLinks: { path in
                var part = ""
                for name in path.split(separator: "/") {
                    part += "/" + name
                    if entry(part) != .other { return false }
                }
                return true
            })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var links: [String: String] = [:]
        var write: [String]
        var read: [String] = []
        var places: [String]
        var readable: [String] = []
    }

    static let cases: [Case] = [
        Case(testDescription: "plain paths stay", write: ["/s"], read: ["/r/f"], places: ["/s"], readable: ["/r/f"]),
        Case(
            testDescription: "links outside of writable folders are followed",
            links: ["/var/run": "/run", "/run/a": "b"],
            write: ["/s"], read: ["/var/run/a/f"], places: ["/s"], readable: ["/run/b/f"]),
        Case(
            testDescription: "what lies in a writable folder is covered by it", write: ["/s", "/s/x"], read: ["/s/y/z"],
            places: ["/s"]),
        Case(
            testDescription: "a planted link leads nowhere", links: ["/s/x": "/etc"], write: ["/s"],
            read: ["/s/x", "/s/x/shadow"], places: ["/s"]),
        Case(
            testDescription: "nor does one below a link to a writable folder", links: ["/to": "/s", "/s/x": "/etc"],
            write: ["/s"], read: ["/to/x/shadow"], places: ["/s"]),
        Case(
            testDescription: "nor does a planted link that is granted for writing, in whatever order",
            links: ["/s/x": "/home"], write: ["/s/x", "/s"], places: ["/s"]),
        Case(
            testDescription: "one place by two ways is one place", links: ["/to": "/s"], write: ["/to", "/s"],
            read: ["/s", "/to"], places: ["/s"]),
        Case(
            testDescription: "a folder that is a link is its target", links: ["/home": "/usr/home"], write: ["/home/a"],
            read: ["/home/a/b", "/home/c"], places: ["/usr/home/a"], readable: ["/usr/home/c"]),
        Case(
            testDescription: "dots mean what they say", links: ["/l": "/a/b"], write: ["/s"],
            read: ["/r/./x/../f", "/l/c"], places: ["/s"], readable: ["/r/f", "/a/b/c"]),
        Case(
            testDescription: "a name that begins alike is another", write: ["/s"], read: ["/state/f"], places: ["/s"],
            readable: ["/state/f"]),
        Case(
            testDescription: "a chain of links that goes round grants nothing", links: ["/a": "/b", "/b": "/a"],
            write: ["/s"], read: ["/a/f"], places: ["/s"]),
    ]

    @Test("follows no link that a plugin could have made", arguments: cases)
    func resolves(_ example: Case) {
        let found = Self.resolver(example.links).places(write: example.write, read: example.read) { _, _ in }
        #expect(found.write == example.places)
        #expect(found.read == example.readable)
    }

    @Test("follows no link in a folder that another application may write, and says so")
    func foreign() {
        var resolver = Self.resolver(
            ["/shared/out": "/home/u/.ssh", "/shared/deep/x": "..", "/to": "/shared", "/data": "/mnt/data"])
        resolver.foreign = ["/shared", "/state/applications", "/data", "/mnt/data"]
        var mentioned: [String: GrantResolver.Finding] = [:]
        let found = resolver.places(
            write: ["/state/applications/a/state", "/shared/out"],
            read: ["/shared/out/key", "/shared/plain/f", "/to/out", "/to/deep/x", "/data", "/data/f"]
        ) { mentioned[$0] = $1 }
        #expect(found.write == ["/state/applications/a/state"])
        // A writable folder may itself be a link, where no other user can make one.
        #expect(found.read == ["/shared/plain/f", "/mnt/data", "/mnt/data/f"])
        let planted = GrantResolver.Finding.untrusted(link: "/shared/out")
        #expect(
            mentioned == [
                "/shared/out": planted, "/shared/out/key": planted, "/to/out": planted,
                "/to/deep/x": .untrusted(link: "/shared/deep/x"), "/data": .link(to: "/mnt/data"),
            ])
    }

    @Test("leaves out and names absent paths")
    func namesAbsent() {
        var mentioned: [String] = []
        let found = Self.resolver([:], absent: ["/r/gone"]).places(write: ["/s"], read: ["/r/gone", "/r/here"]) {
            path, finding in
            mentioned.append("\(path) \(finding)")
        }
        #expect(found.read == ["/r/here"])
        #expect(mentioned == ["/r/gone absent(\(ENOENT))"])
    }

    @Test("gives a worker its own environment")
    func makesEnvironment() {
        setenv("LD_PRELOAD", "", 1)
        defer { unsetenv("LD_PRELOAD") }
        var plan = Self.plan
        let names = WorkerEnvironment.make(plan).map(\.0)
        #expect(Set(names).count == names.count)
        #expect(!names.contains("LD_PRELOAD"))
        #expect(!names.contains("RES_OPTIONS"))
        let values = Dictionary(uniqueKeysWithValues: WorkerEnvironment.make(plan))
        #expect(values["HOME"] == "/state" && values["TMPDIR"] == "/cache" && values["SWIFT_BACKTRACE"] == "enable=no")
        plan.ports = [443]
        #expect(WorkerEnvironment.make(plan).contains { $0 == ("RES_OPTIONS", "use-vc") })
    }

    @Test("enters control groups by writing to their descriptors")
    func entersGroups() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        try Confinement.place([ends[1], ends[1]])
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(ends[0], &bytes, bytes.count) == 2)
        #expect(bytes.prefix(2) == [0x30, 0x30])
        _ = close(ends[0])
        _ = close(ends[1])
        let failure = #expect(throws: ConfinementError.self) { try Confinement.place([-1]) }
        #expect(failure == ConfinementError(.placement, code: EBADF, object: "cgroup.procs"))
    }

    @Test("says what failed and what to do, for every step", arguments: ConfinementError.Step.allCases)
    func explains(_ step: ConfinementError.Step) {
        let text = ConfinementError(step, code: EPERM, object: "thing").description
        #expect(text.hasPrefix("the worker could not "))
        #expect(text.contains("(thing): Operation not permitted; "))
        #expect(text.split(separator: ";").count == 2)
    }

    @Test(
        "takes names of shared libraries for such",
        arguments: [
            ("libx.so", true), ("libx.so.1", true), ("x.so.1.2.3", true), ("x.sock", false), ("x.txt", false),
            (".env", false),
        ])
    func knowsLibraries(_ name: String, _ isLibrary: Bool) {
        #expect(SharedLibraries.isLibrary(name) == isLibrary)
    }

    private static let plan = LaunchPlan(
        application: "org.example.a", library: "", sendsLibrary: false, isApplication: false, exec: false,
        identity: .host(), stateDirectory: "/state", cacheDirectory: "/cache", manifestDirectory: "/manifests",
        read: [],
        write: [],
        ports: [], fileSize: 1 << 20, dataSize: 0, processes: 0, placements: 0, bestEffort: false)
}
