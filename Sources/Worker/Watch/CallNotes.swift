import Confining
import Learning
import Linux

/// Receives what the calls of a watched program mean.
protocol CallReport {
    /// - Parameter program: the name of the program that did it.
    mutating func add(_ kind: Observation.Kind, _ place: String, _ detail: String, by program: () -> String)
}

/// What the calls of a watched program mean: each that no grant covers, and that its user's own rights allow, is reported.
///
/// *Thread*: the process's only one.
final class CallNotes<Report: CallReport> {
    /// Paths that are known to add nothing.
    private static var mostKnown: Int { 8192 }
    /// Programs whose last question is known.
    private static var mostAsked: Int { 256 }

    private let calls: CallListener
    private let grants: WatchedGrants
    var report: Report
    /// The host name that each program asked name servers for last.
    private var asked: [String: (name: String, port: UInt16?)] = [:]
    /// A process has asked for another root folder.
    private var hasOtherRoots = false
    /// Absolute paths that were opened for reading, and add nothing.
    private var known: Set<[UInt8]> = []

    init(of calls: CallListener, grants: WatchedGrants, _ report: Report) {
        self.calls = calls
        self.grants = grants
        self.report = report
    }

    // MARK: What a call means

    /// Notes a call that waits.
    func note(_ call: WatchedCall, _ name: String, _ notice: SystemCallNotice) {
        let process = WatchedProcess(thread: notice.thread)
        switch call {
        case .open(let path, let flags):
            noteOpen(path, flags.map { notice.arguments[$0] } ?? Self.ofCreation, process, notice)
        case .openHow(let path, let how):
            guard let flags = ForeignMemory.words(of: notice.thread, at: notice.arguments[how], count: 1) else {
                return hide(process, at: notice.arguments[how])
            }
            noteOpen(path, flags[0], process, notice)
        case .execute(let path):
            guard let target = target(path, followsLast: true, process, notice), let facts = target.facts else {
                return
            }
            if facts.mode & 0o6000 != 0 { add(.powerless, target.place, process, notice) }
            if calls.isWaiting(notice) { noteCapabilities(of: target.place) { process.name } }
            guard facts.isFile, FileSystem.allows(.execute, to: target.place) else { return }
            add(grants.cover(target.place, .execute) ? .started : .execute, target.place, process, notice)
        case .make(let path): noteChange(.create, path, process, notice)
        case .remove(let path): noteChange(.remove, path, process, notice)
        case .move(let first, let second, let keepsFirst):
            // What has no name, such as a file of O_TMPFILE, is there all the same.
            if let from = target(first, followsLast: false, process, notice), from.facts == nil { return }
            // The kernel then says that it exists, and asks nobody (RENAME_NOREPLACE of rename(2), link(2)).
            let keepsSecond = keepsFirst || name == "renameat2" && notice.arguments[4] & 1 != 0
            if keepsSecond, target(second, followsLast: false, process, notice)?.facts != nil { return }
            if !keepsFirst { noteChange(.remove, first, process, notice) }
            addToFolder(.create, second, process, notice)
        case .cut(let path):
            guard let target = target(path, followsLast: true, process, notice), target.facts != nil else { return }
            noteWriting(target.place, process, notice)
        case .attributes(let path):
            let target = changed(path, process, notice)
            // Only its owner may, and root.
            if let owner = target?.facts?.user, owner != ThisProcess.user, !ThisProcess.isRoot { return }
            add(.attributes, target?.place ?? name, process, notice, detail: name)
        case .connect, .bind, .sendTo, .sendMessage, .sendMessages: noteAddresses(call, process, notice)
        case .other:
            if name == "socket" { return noteSocket(process, notice) }
            if name == "chroot" || name == "pivot_root" { hasOtherRoots = true }
            add(.call, name, process, notice)
        }
    }

    /// The file is executed, or would be, if its processes could have its capabilities.
    ///
    /// - Parameter program: the name of the program that does it.
    func noteCapabilities(of file: String, by program: () -> String) {
        let beyond = FileCapabilities.beyondBounds(of: file)
        guard beyond != 0 else { return }
        let capabilities = beyond == FileCapabilities.rawSockets ? Observation.rawSockets : "capabilities"
        report.add(.powerless, file, capabilities, by: program)
    }

    private func noteSocket(_ process: WatchedProcess, _ notice: SystemCallNotice) {
        let (domain, type, number) = WatchedCall.socket(notice)
        if SocketNumber.isICMP(domain, type, number) { return add(.echo, process.name, process, notice) }
        let isUDP =
            [SocketNumber.AF_INET, SocketNumber.AF_INET6].contains(domain) && type == SocketNumber.SOCK_DGRAM
            && [SocketNumber.IPPROTO_IP, SocketNumber.IPPROTO_UDP].contains(number)
        add(.call, isUDP ? Observation.udpSocket : "socket", process, notice)
    }

    /// The file whose attributes are changed: by its path, or by its descriptor, as utimensat(2) has it without a path.
    private func changed(
        _ path: WatchedCall.Path?, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) -> WatchedProcess.Target? {
        if let path, notice.arguments[path.text] != 0 { return target(path, followsLast: true, process, notice) }
        return process.target(of: [], in: Int32(truncatingIfNeeded: notice.arguments[0]), followsLast: true)
    }

    private func target(
        _ path: WatchedCall.Path, followsLast: Bool, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) -> WatchedProcess.Target? {
        // utimensat(2) and its like then mean the descriptor.
        guard notice.arguments[path.text] != 0 else { return nil }
        guard let text = ForeignMemory.text(of: notice.thread, at: notice.arguments[path.text]) else {
            hide(process, at: notice.arguments[path.text])
            return nil
        }
        return target(text, path, followsLast: followsLast, process, notice)
    }

    private func target(
        _ text: [UInt8], _ path: WatchedCall.Path, followsLast: Bool, _ process: WatchedProcess,
        _ notice: SystemCallNotice
    ) -> WatchedProcess.Target? {
        let folder = path.folder.map { Int32(truncatingIfNeeded: notice.arguments[$0]) } ?? WatchedProcess.workingFolder
        if String(validating: text, as: UTF8.self) == nil { add(.unnamed, process.name, process, notice) }
        return process.target(of: text, in: folder, followsLast: followsLast, hasOwnRoot: hasOtherRoots)
    }

    // MARK: Files

    /// O_WRONLY | O_CREAT | O_TRUNC (creat(2))
    private static var ofCreation: UInt64 { 0o1101 }
    private static var creates: UInt64 { 0o100 }
    private static var excludes: UInt64 { 0o200 }
    private static var truncates: UInt64 { 0o1000 }
    private static var noFollow: UInt64 { 0o400_000 }
    /// O_PATH, and __O_TMPFILE, which makes a file without a name.
    private static var isPlace: UInt64 { 0o10_000_000 }
    private static var isUnnamed: UInt64 { 0o20_000_000 }

    private func noteOpen(
        _ path: WatchedCall.Path, _ flags: UInt64, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        guard flags & Self.isPlace == 0 else { return }
        guard let text = ForeignMemory.text(of: notice.thread, at: notice.arguments[path.text]) else {
            return hide(process, at: notice.arguments[path.text])
        }
        let isReading = flags & (3 | Self.creates | Self.isUnnamed | Self.truncates) == 0
        let isAbsolute = text.first == 0x2F
        if isReading, isAbsolute, known.contains(text) { return }
        let follows =
            flags & Self.noFollow == 0 && flags & (Self.creates | Self.excludes) != Self.creates | Self.excludes
        guard let target = target(text, path, followsLast: follows, process, notice) else { return }
        guard let facts = target.facts else {
            if flags & Self.creates != 0 { addToFolder(.create, target.place, process, notice) }
            return
        }
        if flags & Self.isUnnamed != 0 {
            add(.create, target.place, process, notice, detail: "a file without a name")
        } else if isReading {
            noteReading(target.place, facts, process, notice)
            guard isAbsolute, calls.isWaiting(notice) else { return }
            if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
            known.insert(text)
        } else {
            // The kernel opens no folder so (EISDIR), and what is there is not created by O_CREAT.
            guard !facts.isFolder else { return }
            if flags & 3 != 1 { noteReading(target.place, facts, process, notice) }
            if flags & 3 != 0 || flags & Self.truncates != 0 {
                noteWriting(target.place, process, notice)
            }
        }
    }

    private func noteReading(
        _ place: String, _ facts: FileSystem.Facts, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        guard !grants.cover(place, facts.isFolder ? .readFolder : .readFile), FileSystem.allows(.read, to: place) else {
            return
        }
        add(facts.isFolder ? .list : .read, place, process, notice)
    }

    private func noteWriting(_ place: String, _ process: WatchedProcess, _ notice: SystemCallNotice) {
        guard !grants.cover(place, .writeFile), FileSystem.allows(.write, to: place) else { return }
        add(.write, place, process, notice)
    }

    /// What there is cannot be made, and what there is not cannot be removed.
    private func noteChange(
        _ kind: Observation.Kind, _ path: WatchedCall.Path, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        guard let target = target(path, followsLast: false, process, notice),
            (target.facts == nil) == (kind == .create)
        else { return }
        addToFolder(kind, target.place, process, notice)
    }

    private func addToFolder(
        _ kind: Observation.Kind, _ path: WatchedCall.Path, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        guard let target = target(path, followsLast: false, process, notice) else { return }
        addToFolder(kind, target.place, process, notice)
    }

    private func addToFolder(
        _ kind: Observation.Kind, _ place: String, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        let folder = LearnedPlaces.folder(of: place)
        guard !grants.cover(folder, .write), FileSystem.allows(.write, to: folder) else { return }
        add(kind, folder, process, notice, detail: LearnedPlaces.name(of: place))
    }

    // MARK: Addresses

    /// Messages of one sendmmsg(2) that are looked at.
    private static var mostMessages: Int { 64 }
    /// Bytes of struct mmsghdr.
    private static var entrySize: Int { 64 }

    private func noteAddresses(_ call: WatchedCall, _ process: WatchedProcess, _ notice: SystemCallNotice) {
        let arguments = notice.arguments
        switch call {
        case .connect: noteAddress(at: arguments[1], arguments[2], .connect, process, notice)
        case .bind: noteAddress(at: arguments[1], arguments[2], .bind, process, notice)
        case .sendTo: noteAddress(at: arguments[4], arguments[5], .sendTo, process, notice)
        case .sendMessage: noteMessage(at: arguments[1], process, notice)
        default:
            for index in 0..<min(Int(clamping: arguments[2]), Self.mostMessages) {
                noteMessage(at: arguments[1] &+ UInt64(index * Self.entrySize), process, notice)
            }
        }
    }

    private func noteMessage(at address: UInt64, _ process: WatchedProcess, _ notice: SystemCallNotice) {
        // msg_name, msg_namelen (of 32 bits), msg_iov and msg_iovlen
        guard let head = ForeignMemory.words(of: notice.thread, at: address, count: 4) else {
            return hide(process, at: address)
        }
        noteQuestion(at: head[2], head[3], process, notice)
        noteAddress(at: head[0], head[1] & UInt64(UInt32.max), .sendMessage, process, notice)
    }

    /// The name that a message asks a name server for.
    private func noteQuestion(
        at vectors: UInt64, _ count: UInt64, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        // The first struct iovec.
        guard count > 0, vectors != 0,
            let vector = ForeignMemory.words(of: notice.thread, at: vectors, count: 2),
            vector[1] <= UInt64(NameQuestion.mostBytes),
            let bytes = ForeignMemory.bytes(of: notice.thread, at: vector[0], count: Int(vector[1])),
            let name = NameQuestion.name(in: bytes)
        else { return }
        if asked.count >= Self.mostAsked { asked.removeAll(keepingCapacity: true) }
        asked[process.name] = (name, nil)
    }

    /// The name that a program asked for before it connected: for the first port that it then connects to.
    private func name(of process: WatchedProcess, at port: UInt16) -> String {
        let program = process.name
        guard let (name, known) = asked[program], known == nil || known == port else { return "" }
        asked[program] = (name, port)
        return name
    }

    private func noteAddress(
        at address: UInt64, _ length: UInt64, _ call: WatchedCall, _ process: WatchedProcess, _ notice: SystemCallNotice
    ) {
        guard address != 0, length >= 2, length <= UInt64(ArgumentAddress.mostBytes) else { return }
        guard let bytes = ForeignMemory.bytes(of: notice.thread, at: address, count: Int(length)) else {
            return hide(process, at: address)
        }
        switch ArgumentAddress(bytes) {
        case .internet(let host, let port):
            let place = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
            if case .bind = call { return add(.listen, place, process, notice) }
            let socket = process.socket(Int32(truncatingIfNeeded: notice.arguments[0]))
            if socket?.isICMP == true { return }
            let isDatagram = socket?.isDatagram ?? false
            add(isDatagram ? .udp : .tcp, place, process, notice, detail: isDatagram ? "" : name(of: process, at: port))
        case .path(let path):
            let target = process.target(of: Array(path.utf8), followsLast: true)
            if case .bind = call { return add(.listen, target?.place ?? path, process, notice) }
            // Nobody is there: as when a C library asks for a cache of names that the machine does not have.
            guard let target, target.facts != nil else { return }
            add(.socket, target.place, process, notice)
        case .unnamed(let name):
            guard !name.isEmpty else { return }
            add(.socket, "@" + name, process, notice)
        case .other, nil: break
        }
    }

    // MARK: Noting

    private func add(
        _ kind: Observation.Kind, _ place: String, _ process: WatchedProcess, _ notice: SystemCallNotice,
        detail: String = ""
    ) {
        // Otherwise its process was killed, and another may have its number.
        guard calls.isWaiting(notice) else { return }
        report.add(kind, place, detail, by: { process.name })
    }

    /// Its memory could not be read at that address: it is wrong, or the process hides it.
    private func hide(_ process: WatchedProcess, at address: UInt64) {
        guard ForeignMemory.isClosed(process.thread, at: address) else { return }
        let name = process.name
        report.add(.hidden, name, "", by: { name })
    }
}
