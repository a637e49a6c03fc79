import Manifests
import TaskModel
import Testing

@Suite("A confined program that calls what no confined program can")
struct UnservedProgramTests {
    private func warnings(_ command: String, confinement: String = "full") -> [String] {
        let text =
            #"{"identifier":"a","confinement":"\#(confinement)","tasks":{"a.b":{"kind":"processing","handler":{"command":\#(command)}}}}"#
        let result = ManifestDecoder.decode(bytes: Array(text.utf8), path: "m.json", folder: "/m", profile: .modern)
        return result.diagnostics.map { "\($0)" }
    }

    @Test(
        "is named with what it lacks",
        arguments: [
            ("pg_dump db | gzip >f", "pg_dump, which talks to a service through a Unix socket"),
            ("pg_dump -h /var/run/postgresql db", "pg_dump, which talks"), ("logger -t x done", "logger, which talks"),
            ("cd /x && su postgres -c true", "su, which needs its set-user-ID"),
            ("A=b nice -n 10 timeout 5m /usr/bin/ping -c1 x", "ping, which sends ICMP echo requests"),
            ("mtr -r x", "mtr, which sends packets"),
            ("if ! mail -s x root; then :; fi", "mail, which needs"), ("x=$(docker ps)", "docker, which talks"),
            ("psql 'host=/run/x'", "psql, which talks"),
        ])
    func named(_ script: String, _ words: String) {
        let found = warnings("[\"/bin/sh\",\"-c\",\"\(script)\"]")
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
        #expect(warnings("[\"/bin/sh\",\"-c\",\"\(script)\"]", confinement: "none").isEmpty)
    }

    @Test(
        "is not every word that is called so",
        arguments: [
            "pg_dump -h db.example.com db", "pg_dump --host=10.0.0.1 db", "psql postgresql://u@h/db", "echo logger",
            "cat su",
            "pg_dump -hdb x", "ls /usr/bin/ping", "timeout 5 true", "grep mail log",
        ])
    func others(_ script: String) {
        #expect(warnings("[\"/bin/sh\",\"-c\",\"\(script)\"]").isEmpty)
        #expect(warnings(#"["/usr/bin/tar","c","logger"]"#).isEmpty)
    }

    @Test("is served by the permission that it needs")
    func served() {
        func warnings(_ command: String, _ permissions: String) -> Int {
            let text =
                #"{"identifier":"a","permissions":\#(permissions),"tasks":{"a.b":{"kind":"processing","handler":{"command":["\#(command)","x"]}}}}"#
            return ManifestDecoder.decode(bytes: Array(text.utf8), path: "m.json", folder: "/m", profile: .modern)
                .diagnostics.count
        }
        #expect(warnings("/bin/ping", #"{"ping":true}"#) == 0 && warnings("/bin/ping", #"{"sockets":["/a"]}"#) == 1)
        #expect(
            warnings("/bin/logger", #"{"sockets":["/dev/log"]}"#) == 0
                && warnings("/bin/logger", #"{"ping":true}"#) == 1)
        #expect(warnings("/usr/bin/mtr", #"{"ping":true}"#) == 1)
    }

    @Test("is the program itself as well, and each is named once")
    func itself() {
        #expect(warnings(#"["/usr/bin/logger","x"]"#).count == 1)
        #expect(warnings(#"["/bin/sh","-c","logger a; logger b; ping c"]"#).count == 2)
    }
}
