/// Makes a proposal of what was seen.
struct Proposer {
    /// Files of one folder from which on the folder stands for them.
    private static let (manyFiles, manyPrograms) = (8, 4)
    /// Programs that are told.
    private static let mostPrograms = 64
    /// Ports of name servers, and none: what resolving a name connects to.
    private static let portsOfNames = [":53", ":0"]
    /// Where ping(8) connects a socket of UDP, by which nothing is sent, to learn its own address.
    private static let portOfEcho = ":1025"

    /// Sockets of caches of names: C libraries do without (nscd(8), systemd-userdbd(8)).
    private static let optional = ["/run/nscd", "/run/systemd/userdb"]

    private let places: LearnedPlaces
    private var lines: [Draft] = []
    /// Where each of `lines` is; those of files and folders.
    private var index: [Place: Int] = [:]
    private var apart: [Draft] = []
    private var proposal: Proposal

    private init(_ runs: Int, _ places: LearnedPlaces) {
        self.places = places
        proposal = Proposal(runs: runs)
    }

    private struct Place: Hashable {
        var permission: Permission
        var path: String
    }

    /// A line, with the numbers of the runs that needed it.
    private struct Draft {
        var permission: Permission
        var place: String
        var why: String
        var runs: Set<Int>

        var line: Proposal.Line { Proposal.Line(permission, place, why: why, runs: runs.count) }
    }

    /// - Parameter runs: what each was seen to do.
    static func proposal(_ runs: [[Observation]], _ places: LearnedPlaces) -> Proposal {
        var proposer = Proposer(runs.count, places)
        let facts = Seen.gathered(runs)
        proposer.addWriting(facts)
        proposer.addReading(facts)
        proposer.addPrograms(facts)
        proposer.addOthers(facts)
        if runs.contains(where: { run in !run.contains { $0.kind == .ended } }) {
            proposer.proposal.unseen.append("what it would have done after it was ended")
        }
        proposer.proposal.lines = sorted(proposer.lines)
        proposer.proposal.apart = sorted(proposer.apart)
        let programs = facts.filter { [.execute, .started].contains($0.observation.kind) }.map(\.observation.place)
        proposer.proposal.programs = Array(programs.prefix(Self.mostPrograms))
        return proposer.proposal
    }

    private static func sorted(_ drafts: [Draft]) -> [Proposal.Line] {
        drafts.map(\.line).sorted { ($0.permission, $0.place) < ($1.permission, $1.place) }
    }

    /// One thing that was seen, in some of the runs.
    private struct Seen {
        var observation: Observation
        var details: [String]
        /// By number.
        var runs: Set<Int>

        /// `tar created a.tgz in it`
        func why(_ verb: String, _ place: String = "it") -> String {
            let names = details.prefix(2).joined(separator: ", ") + (details.count > 2 ? ", …" : "")
            return "\(observation.program) \(verb) " + (names.isEmpty ? place : "\(names) in \(place)")
        }

        /// Names of one place that are told, and one more.
        private static let mostDetails = 3

        static func gathered(_ runs: [[Observation]]) -> [Seen] {
            var order: [Observation.Key] = []
            var all: [Observation.Key: Seen] = [:]
            for run in runs.enumerated() {
                for observation in run.element {
                    let key = Observation.Key(observation.kind, observation.place)
                    if all[key] == nil {
                        order.append(key)
                        all[key] = Seen(observation: observation, details: [], runs: [])
                    }
                    all[key]?.runs.insert(run.offset)
                    let detail = observation.detail
                    if !detail.isEmpty, let known = all[key]?.details, known.count < mostDetails,
                        !known.contains(detail)
                    {
                        all[key]?.details.append(detail)
                    }
                }
            }
            return order.compactMap { all[$0] }
        }
    }

    // MARK: Files

    /// Adds it, or puts it apart, unless another line allows it.
    private mutating func add(
        _ permission: Permission, _ place: String, isFolder: Bool, _ why: String, _ runs: Set<Int>
    ) {
        guard !isAllowed(permission, place, in: runs) else { return }
        let draft = Draft(permission: permission, place: place, why: why, runs: runs)
        let isUsual = isFolder ? places.isNatural(place) : !places.isSecret(place)
        if isUsual, permission != .write || places.isOpenForWriting(place) {
            index[Place(permission: permission, path: place)] = lines.count
            lines.append(draft)
        } else if !apart.contains(where: { $0.permission == permission && $0.place == place }) {
            apart.append(draft)
        }
    }

    /// Whether it needs no line of its own; the line that allows it is then needed in these runs as well.
    private mutating func isAllowed(_ permission: Permission, _ place: String, in runs: Set<Int>) -> Bool {
        if places.isGranted(place) { return true }
        // What may be written or executed may be read.
        let permissions: [Permission] = permission == .read ? [.read, .write, .execute] : [permission]
        var folder = place
        while true {
            for other in permissions {
                guard let found = index[Place(permission: other, path: folder)] else { continue }
                lines[found].runs.formUnion(runs)
                return true
            }
            guard folder != "/" else { return false }
            folder = LearnedPlaces.folder(of: folder)
        }
    }

    private mutating func addWriting(_ facts: [Seen]) {
        var changed: [String: (why: String, runs: Set<Int>)] = [:]
        for fact in facts where fact.observation.kind == .create || fact.observation.kind == .remove {
            let folder = fact.observation.place
            let verb = fact.observation.kind == .create ? "created" : "removed"
            changed[folder] = (
                changed[folder].map { $0.why + "; " + fact.why(verb) } ?? fact.why(verb),
                fact.runs.union(changed[folder]?.runs ?? [])
            )
        }
        var files: [Seen] = []
        for fact in facts where fact.observation.kind == .write {
            let path = fact.observation.place
            let folder = LearnedPlaces.folder(of: path)
            guard LearnedPlaces.isChanging(path), places.isNatural(folder) else {
                files.append(fact)
                continue
            }
            if changed[folder] == nil { changed[folder] = (fact.why("wrote", path), fact.runs) }
        }
        // The outer ones first: they allow the inner ones.
        for (folder, (why, runs)) in changed.sorted(by: { $0.key < $1.key }) {
            guard !isSharedMemory(folder, why) else { continue }
            add(.write, folder, isFolder: true, why, runs)
        }
        for fact in files where !isSharedMemory(fact.observation.place, fact.why("wrote")) {
            add(.write, fact.observation.place, isFolder: false, fact.why("wrote"), fact.runs)
        }
    }

    private mutating func isSharedMemory(_ path: String, _ why: String) -> Bool {
        guard LearnedPlaces.lies(path, in: LearnedPlaces.sharedMemory) else { return false }
        // Under a root host each run has its own.
        if places.isGranted(path) { return true }
        obstruct(LearnedPlaces.sharedMemory, "\(why); shared memory by name is refused")
        return true
    }

    private mutating func addReading(_ facts: [Seen]) {
        for fact in facts.sorted(by: { $0.observation.place < $1.observation.place })
        where fact.observation.kind == .list {
            add(.read, fact.observation.place, isFolder: true, fact.why("listed"), fact.runs)
        }
        var files: [Seen] = []
        for fact in facts where fact.observation.kind == .read {
            if !isAllowed(.read, fact.observation.place, in: fact.runs) { files.append(fact) }
        }
        files.sort { $0.observation.place < $1.observation.place }
        let folders = Dictionary(grouping: files) { LearnedPlaces.folder(of: $0.observation.place) }
        for (folder, inside) in folders.sorted(by: { $0.key < $1.key }) {
            let isChanging = inside.contains { LearnedPlaces.isChanging($0.observation.place) }
            guard inside.count >= Self.manyFiles || isChanging, places.isNatural(folder) else { continue }
            let count = inside.count == 1 ? "a file with a changing name" : "\(inside.count) files"
            add(
                .read, folder, isFolder: true, "\(inside[0].observation.program) read \(count) in it",
                Self.runs(of: inside))
        }
        for fact in files { add(.read, fact.observation.place, isFolder: false, fact.why("read"), fact.runs) }
    }

    private static func runs(of facts: [Seen]) -> Set<Int> { facts.reduce(into: []) { $0.formUnion($1.runs) } }

    private mutating func addPrograms(_ facts: [Seen]) {
        let programs = facts.filter { $0.observation.kind == .execute && !places.isGranted($0.observation.place) }
        let folders = Dictionary(grouping: programs) { LearnedPlaces.folder(of: $0.observation.place) }
        for (folder, inside) in folders.sorted(by: { $0.key < $1.key }) {
            if inside.count >= Self.manyPrograms, places.isNatural(folder) {
                add(
                    .execute, folder, isFolder: true,
                    "\(inside[0].observation.program) started \(inside.count) programs in it",
                    Self.runs(of: inside))
                continue
            }
            for fact in inside {
                add(.execute, fact.observation.place, isFolder: false, fact.why("started"), fact.runs)
            }
        }
        // Read before it was known that it is executed.
        let executed = Set(lines.filter { $0.permission == .execute }.map(\.place))
        lines.removeAll { line in
            line.permission == .read
                && (executed.contains(line.place) || executed.contains(LearnedPlaces.folder(of: line.place)))
        }
    }

    // MARK: The rest

    private mutating func addOthers(_ facts: [Seen]) {
        // First where it connects: that decides about sockets.
        for fact in facts where fact.observation.kind == .tcp { addConnection(fact) }
        let connected = Set(facts.filter { $0.observation.kind == .tcp }.map(\.observation.place))
        let pinging = Set(facts.filter { $0.observation.kind == .echo }.map(\.observation.place))
        for fact in facts {
            let place = fact.observation.place
            switch fact.observation.kind {
            case .tcp: break
            case .udp:
                // Resolving a name asks its server, and tries the addresses that it got.
                guard !Self.portsOfNames.contains(where: place.hasSuffix), !connected.contains(place),
                    !(pinging.contains(fact.observation.program) && place.hasSuffix(Self.portOfEcho))
                else { continue }
                obstruct(place, "\(fact.observation.program) sent datagrams to it; only TCP can be granted")
            case .socket where Self.optional.contains(where: { LearnedPlaces.lies(place, in: $0) }): continue
            case .socket: addSocket(fact)
            case .echo:
                guard !lines.contains(where: { $0.permission == .network }) else {
                    obstruct(
                        place,
                        "\(fact.observation.program) sent ICMP echo requests, which cannot be granted beside network")
                    continue
                }
                if let line = lines.firstIndex(where: { $0.permission == .ping }) {
                    lines[line].runs.formUnion(fact.runs)
                    continue
                }
                let why = "\(fact.observation.program) sent ICMP echo requests"
                lines.append(Draft(permission: .ping, place: "", why: why, runs: fact.runs))
            case .listen: obstruct(place, "\(fact.observation.program) listened there; nothing may listen")
            case .powerless:
                let kind = fact.details.isEmpty ? "a set-user-ID program" : "a file with capabilities"
                obstruct(
                    place, "it is \(kind), which is powerless when it is watched and when it is confined")
            case .attributes:
                guard !lines.contains(where: { $0.permission == .attributes }) else { continue }
                let why = "\(fact.observation.program) changed modes, owners or times"
                lines.append(Draft(permission: .attributes, place: "", why: why, runs: fact.runs))
            // Said above, of the place that was taken.
            case .call where ["listen", "accept", "accept4"].contains(place): continue
            // The same socket; what others send by theirs is said above.
            case .call where place == Observation.udpSocket && !pinging.isEmpty: continue
            case .call:
                proposal.calls.append(Proposal.Obstacle(what: place, why: fact.observation.program))
            case .hidden: proposal.unseen.append("what \(place) did: it hides its memory")
            case .unnamed:
                proposal.unseen.append("what \(place) did with names that are not UTF-8, which no manifest can have")
            case .truncated: proposal.unseen.append("what came after \(place) observations")
            case .read, .list, .write, .create, .remove, .execute, .started, .ended: break
            }
        }
    }

    private mutating func addConnection(_ fact: Seen) {
        let place = fact.observation.place
        guard let colon = place.lastIndex(of: ":") else { return }
        let host = String(place[..<colon].filter { $0 != "[" && $0 != "]" })
        let isHere = host == "::1" || host.hasPrefix("127.")
        let asked = fact.details.last.map { $0 + place[colon...] } ?? place
        let name = isHere ? "loopback" + place[colon...] : asked
        guard !lines.contains(where: { $0.permission == .network && $0.place == name }) else { return }
        let why = "\(fact.observation.program) connected to \(place)"
        lines.append(Draft(permission: .network, place: name, why: why, runs: fact.runs))
    }

    private mutating func addSocket(_ fact: Seen) {
        let (place, program) = (fact.observation.place, fact.observation.program)
        guard place.hasPrefix("/") else {
            return obstruct(place, "\(program) talked to this Unix socket, which has no path")
        }
        guard !lines.contains(where: { $0.permission == .network }) else {
            return obstruct(place, "\(program) talked to this Unix socket, which cannot be granted beside network")
        }
        let draft = Draft(permission: .sockets, place: place, why: "\(program) talked to it", runs: fact.runs)
        if places.isPowerful(socket: place) { apart.append(draft) } else { lines.append(draft) }
    }

    private mutating func obstruct(_ what: String, _ why: String) {
        guard !proposal.obstacles.contains(where: { $0.what == what }) else { return }
        proposal.obstacles.append(Proposal.Obstacle(what: what, why: why))
    }
}
