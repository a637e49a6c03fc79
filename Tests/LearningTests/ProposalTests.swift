import Learning
import Testing

@Suite("A proposal")
struct ProposalTests {
    private static let places = LearnedPlaces(home: ["/home/ann"], granted: ["/home/ann/bin/job", "/var/lib/th/own"])

    private func proposal(_ observations: Observation..., allowed: Set<String> = []) -> Proposal {
        var places = Self.places
        places.allowed = allowed
        return Proposal([observations + [Observation(.ended, "")]], places)
    }

    private func words(_ lines: [Proposal.Line]) -> [String] { lines.map { "\($0.permission.rawValue) \($0.place)" } }

    @Test("names files where they are few, and their folder where they are many")
    func files() {
        let few = proposal(Observation(.read, "/srv/a/1", by: "cat"), Observation(.read, "/srv/a/2", by: "cat"))
        #expect(words(few.lines) == ["read /srv/a/1", "read /srv/a/2"])
        let many = Proposal([(0..<9).map { Observation(.read, "/srv/a/\($0)", by: "cat") }], Self.places)
        #expect(words(many.lines) == ["read /srv/a"])
        let listed = proposal(
            Observation(.list, "/srv/a", by: "tar"), Observation(.list, "/srv/a/b", by: "tar"),
            Observation(.read, "/srv/a/b/c", by: "tar"))
        #expect(words(listed.lines) == ["read /srv/a"])
        #expect(listed.lines.first?.why == "tar listed it")
    }

    @Test("names the folder in which something was made or removed, with what that was")
    func changes() {
        let seen = proposal(
            Observation(.create, "/srv/out", by: "tar", detail: "a.tgz"),
            Observation(.remove, "/srv/out", by: "rm", detail: "b"), Observation(.write, "/srv/out/old", by: "sh"),
            Observation(.write, "/srv/log", by: "sh"), Observation(.read, "/srv/out/old", by: "sh"))
        #expect(words(seen.lines) == ["write /srv/log", "write /srv/out"])
        #expect(seen.lines.last?.why == "tar created a.tgz in it; rm removed b in it")
    }

    static let apart = [
        "/", "/etc", "/root", "/home/ann", "/usr/local", "/home/ann/.ssh", "/home/ann/.aws/x", "/home/eve",
        "/home/eve/.ssh",
        "/home/ann/.config", "/etc/ssl",
    ]

    @Test("never grants the machine's folders, homes and places of keys without a yes", arguments: apart)
    func broad(_ folder: String) {
        for kind in [Observation.Kind.create, .list] {
            let seen = proposal(Observation(kind, folder, by: "sh", detail: "new"))
            #expect(seen.lines.isEmpty)
            #expect(seen.apart.map(\.place) == [folder])
            let allowed = proposal(Observation(kind, folder, by: "sh", detail: "new"), allowed: [folder])
            #expect(allowed.lines.map(\.place) == [folder] && allowed.apart.isEmpty)
        }
    }

    @Test(
        "shows single secrets apart, and never their folder",
        arguments: ["/etc/shadow", "/home/ann/.ssh/id_rsa", "/root/x", "/home/eve/.netrc", "/home/ann/.ssh/\u{301}key"])
    func secrets(_ path: String) {
        let seen = proposal(Observation(.read, path, by: "ssh"))
        #expect(seen.lines.isEmpty && words(seen.apart) == ["read \(path)"])
        let many = Proposal([(0..<20).map { Observation(.read, "/home/ann/.ssh/\($0)", by: "ssh") }], Self.places)
        #expect(many.lines.isEmpty && many.apart.count == 20)
    }

    @Test("a file of root's home is no secret for root himself, but its hidden keys are")
    func root() {
        let places = LearnedPlaces(home: ["/root"], granted: [])
        let seen = Proposal(
            [[Observation(.read, "/root/job/a", by: "cat"), Observation(.read, "/root/.ssh/id", by: "cat")]], places)
        #expect(words(seen.lines) == ["read /root/job/a"] && words(seen.apart) == ["read /root/.ssh/id"])
    }

    @Test(
        "lets nobody write programs and settings of the machine without a yes",
        arguments: ["/etc/cron.d", "/usr/local/bin", "/etc/motd"])
    func system(_ path: String) {
        let kind = path == "/etc/motd" ? Observation.Kind.write : .create
        #expect(words(proposal(Observation(kind, path, by: "sh")).apart) == ["write \(path)"])
    }

    @Test("cuts paths at separators by bytes")
    func accents() {
        #expect(words(proposal(Observation(.write, "/srv/a/\u{301}20261128", by: "sh")).lines) == ["write /srv/a"])
        #expect(
            words(
                proposal(Observation(.list, "/srv/a", by: "sh"), Observation(.read, "/srv/a/\u{301}b", by: "sh")).lines)
                == ["read /srv/a"])
    }

    @Test("is made of many observations in a moment")
    func many() {
        let observations = (0..<20_000).map { Observation(.read, "/srv/a\($0)/b", by: "cat") }
        #expect(Proposal([observations], Self.places).lines.count == 20_000)
    }

    @Test("folds names that change from run to run into their folder")
    func changing() {
        let seen = proposal(
            Observation(.read, "/srv/in/day-2026-11-28.csv", by: "cat"),
            Observation(.write, "/srv/out/20261128.log", by: "sh"))
        #expect(words(seen.lines) == ["read /srv/in", "write /srv/out"])
        let plain = proposal(Observation(.read, "/srv/in/python3.11-a1b2.so", by: "python3"))
        #expect(words(plain.lines) == ["read /srv/in/python3.11-a1b2.so"])
    }

    @Test("leaves out the task's own places, and what another line allows")
    func granted() {
        let seen = proposal(
            Observation(.create, "/var/lib/th/own/cache", by: "sort", detail: "x"),
            Observation(.execute, "/home/ann/bin/job", by: "sh"), Observation(.execute, "/srv/x/tool", by: "sh"),
            Observation(.read, "/srv/x/tool", by: "sh"))
        #expect(words(seen.lines) == ["execute /srv/x/tool"])
    }

    @Test("joins runs, and says in how many each line was needed")
    func runs() {
        let end = Observation(.ended, "")
        let joined = Proposal(
            [[Observation(.read, "/srv/a"), end], [Observation(.read, "/srv/a"), Observation(.read, "/srv/b"), end]],
            Self.places)
        #expect(joined.lines.map(\.runs) == [2, 1] && joined.unseen.isEmpty)
        #expect(Proposal([[Observation(.read, "/srv/a")]], Self.places).unseen.count == 1)
    }

    @Test("names machines by the name that was asked for, this one as loopback, and no name server")
    func network() {
        let seen = proposal(
            Observation(.udp, "10.0.0.1:53", by: "curl"), Observation(.udp, "203.0.113.5:443", by: "curl"),
            Observation(.tcp, "203.0.113.5:443", by: "curl", detail: "example.com"),
            Observation(.tcp, "[2001:db8::1]:8443", by: "curl"), Observation(.tcp, "127.0.0.1:80", by: "curl"),
            Observation(.tcp, "[::1]:80", by: "curl"))
        #expect(
            words(seen.lines) == [
                "network [2001:db8::1]:8443", "network example.com:443", "network loopback:80",
            ])
        #expect(seen.obstacles.isEmpty)
    }

    @Test("says what no permission can allow, and what was not seen")
    func obstacles() {
        let seen = proposal(
            Observation(.socket, "@name", by: "pg_dump"),
            Observation(.udp, "10.0.0.1:514", by: "nc"),
            Observation(.udp, "10.0.0.2:514", by: "nc"), Observation(.udp, "10.0.0.3:514", by: "nc"),
            Observation(.powerless, "/usr/bin/su", by: "sh"),
            Observation(.create, "/dev/shm", by: "python3", detail: "x"),
            Observation(.listen, "0.0.0.0:80", by: "nc"), Observation(.hidden, "ssh-agent", by: "ssh-agent"),
            Observation(.call, "ptrace", by: "gdb"), Observation(.socket, "/run/nscd/socket", by: "id"))
        #expect(
            Set(seen.obstacles.map(\.what)) == [
                "@name", "10.0.0.1:514", "10.0.0.2:514", "10.0.0.3:514", "/usr/bin/su",
                "/dev/shm",
                "0.0.0.0:80",
            ])
        #expect(seen.calls.map(\.what) == ["ptrace"] && seen.unseen == ["what ssh-agent did: it hides its memory"])
        #expect(seen.lines.isEmpty)
    }

    @Test("leaves shared memory out where each run has its own")
    func sharedMemory() {
        var places = Self.places
        places.granted.append("/dev/shm")
        let seen = [
            Observation(.create, "/dev/shm", by: "python3", detail: "x"),
            Observation(.write, "/dev/shm/x", by: "python3"),
            Observation(.read, "/dev/shm/x", by: "python3"),
        ]
        let proposal = Proposal([seen], places)
        #expect(proposal.lines.isEmpty && proposal.apart.isEmpty && proposal.obstacles.isEmpty)
    }

    @Test("grants Unix sockets by their paths, powerful ones only with a yes, and none beside a network")
    func sockets() {
        let database = Observation(.socket, "/run/postgresql/.s.PGSQL.5432", by: "pg_dump")
        let bus = Observation(.socket, "/run/user/1000/bus", by: "notify-send")
        let seen = proposal(database, bus)
        #expect(words(seen.lines) == ["sockets /run/postgresql/.s.PGSQL.5432"] && seen.obstacles.isEmpty)
        #expect(words(seen.apart) == ["sockets /run/user/1000/bus"])
        #expect(words(proposal(bus, allowed: ["/run/user/1000/bus"]).lines) == ["sockets /run/user/1000/bus"])
        let both = proposal(database, Observation(.tcp, "203.0.113.5:443", by: "curl"))
        #expect(words(both.lines) == ["network 203.0.113.5:443"] && both.obstacles.count == 1)
    }

    @Test("grants echo requests, and takes the datagram socket by which ping(8) finds its own address for none")
    func echo() {
        let ping = Observation(.echo, "ping", by: "ping")
        let probe = Observation(.udp, "10.0.0.1:1025", by: "ping")
        let other = Observation(.echo, "fping", by: "fping")
        let calls = [Observation.udpSocket, "socket"].map { Observation(.call, $0, by: "ping") }
        let seen = proposal(ping, other, probe, calls[0], calls[1])
        #expect(words(seen.lines) == ["ping "] && seen.obstacles.isEmpty && seen.calls.map(\.what) == ["socket"])
        #expect(proposal(calls[0]).calls.map(\.what) == [Observation.udpSocket])
        #expect(seen.lines.first?.why == "ping sent ICMP echo requests")
        let others = proposal(
            ping, Observation(.udp, "10.0.0.1:1025", by: "nc"), Observation(.udp, "10.0.0.1:7", by: "ping"))
        #expect(others.obstacles.map(\.what) == ["10.0.0.1:1025", "10.0.0.1:7"])
        let both = proposal(ping, Observation(.tcp, "203.0.113.5:443", by: "curl"))
        #expect(words(both.lines) == ["network 203.0.113.5:443"] && both.obstacles.map(\.what) == ["ping"])
    }

    @Test("reads a host's name out of a question to a name server, and nothing else")
    func questions() {
        let header: [UInt8] = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        let name: [UInt8] = [3] + Array("www".utf8) + [7] + Array("example".utf8) + [0, 0, 1, 0, 1]
        #expect(NameQuestion.name(in: header + name) == "www.example")
        var answer = header
        answer[2] = 0x81
        let others: [[UInt8]] = [
            answer + name, header + name.dropLast(), header, [], header + [0xC0, 0x0C, 0, 1, 0, 1],
        ]
        for bytes in others {
            #expect(NameQuestion.name(in: bytes) == nil)
        }
    }
}
