import TaskModel
import Testing
import Wire

/// A frame and what its receiver makes of it.
struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    /// Reads a whole frame; true when it says what was written. Throws what the receiver throws.
    var reads: @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Bool

    /// A frame of a value whose decoder reads the body to its end.
    init<Value: Equatable & Sendable>(
        _ name: String, _ value: Value, _ bytes: [UInt8],
        _ decode: @escaping @Sendable (inout FrameReader) throws(WireError) -> Value
    ) {
        testDescription = name
        self.bytes = bytes
        reads = { (frame) throws(WireError) in
            _ = try FrameHeader(reading: frame)
            var reader = FrameReader(body: frame)
            return try decode(&reader) == value
        }
    }

    /// A frame of a fixed layout.
    init<Value: Equatable & Sendable>(
        _ name: String, _ value: Value, fixed bytes: [UInt8],
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Value
    ) {
        testDescription = name
        self.bytes = bytes
        reads = { (frame) throws(WireError) in
            _ = try FrameHeader(reading: frame)
            return try decode(frame) == value
        }
    }
}

enum Samples {
    static let run = RunHandle(index: 0x0102_0304, generation: 0xFFFF_FFFE)

    private static let programs: [Completion] = [
        Completion(.exited(0), success: true), Completion(.exited(255), success: false),
        Completion(.killed(signal: 1), success: false), Completion(.killed(signal: 64), success: true),
    ]

    static let completions: [Completion] =
        [
            nil, .integer(.min), .integer(-1), .unsigned(.max), .unsigned(3_421_780_262), .real(-0.5),
            .real(.infinity), .boolean(true), .boolean(false), .pointer(isNull: true), .pointer(isNull: false),
            .fetch(.newData), .fetch(.failed),
        ].flatMap { result in
            [(true, false), (false, true)].map { Completion(success: $0.0, result: result, automatic: $0.1) }
        }
        + programs
        + [Deferral.shortest, .milliseconds(90_500), Deferral.longest].compactMap { Deferral($0) }.map {
            Completion($0)
        }

    static let functions = [
        ForeignFunction(
            library: "libz.so.1", symbol: "crc32",
            signature: Signature(result: .u64, parameters: [.u64, .bytes, .u32]),
            arguments: [.integer(0), .payloadBytes, .payloadLength],
            success: .compare(.equal, .unsigned(3_421_780_262))),
        ForeignFunction(
            library: nil, symbol: "f",
            signature: Signature(
                result: .void, parameters: [.i64, .u64, .f64, .bool, .pointer, .string, .string, .callback, .callback]),
            arguments: [
                .integer(-7), .unsigned(.max), .real(.pi), .boolean(true), .null, .string("$STATE/é"), .payloadString,
                .callback(.shouldStop, Signature(result: .i32, parameters: [.string, .pointer, .i32, .pointer])),
                .callback(.complete, Signature(result: .void, parameters: [.i32])),
            ], success: .always),
        ForeignFunction(
            library: "", symbol: "", signature: Signature(result: .pointer, parameters: []), arguments: [],
            success: .compare(.notEqual, .null)
        ).withoutLibrary,
        ForeignFunction(
            library: "l", symbol: "s",
            signature: Signature(result: .f32, parameters: Array(repeating: .callback, count: 16)),
            arguments: Array(repeating: .callback(.timeRemaining, Signature(result: .f64, parameters: [])), count: 16),
            success: .compare(.greaterOrEqual, .real(-1.5))),
        ForeignFunction(
            library: "l", symbol: "s", signature: Signature(result: .i8, parameters: []), arguments: [],
            success: .compare(.less, .integer(-128))),
    ]

    private static var ofShell: ProgramCommand {
        var command = ProgramCommand(["ls"], workingDirectory: "/")
        command.fileModeMask = 0o027
        command.isOfShell = true
        return command
    }

    static let plans: [TaskPlan] =
        [
            TaskPlan(identifier: "com.example.a", kind: .appRefresh, handler: .registered, settings: "{}"),
            TaskPlan(identifier: "", kind: .healthResearch, handler: .symbol("feeds_refresh"), settings: ""),
            TaskPlan(identifier: "com.example.a:fetch", kind: .backgroundFetch, handler: .event, settings: "{}"),
            TaskPlan(identifier: "com.example.a:push", kind: .remoteNotification, handler: .event, settings: "{}"),
            TaskPlan(
                identifier: "com.example.c", kind: .processing,
                handler: .command(
                    ProgramCommand(
                        ["/usr/bin/rsync", "-a", "", "a\nb"], environment: ["A=b"], environmentFiles: ["-/etc/x"],
                        workingDirectory: "/srv")),
                settings: "{}"),
            TaskPlan(identifier: "com.example.c", kind: .processing, handler: .command(ofShell), settings: "{}"),
        ]
        + functions.map {
            TaskPlan(identifier: "com.example.b", kind: .processing, handler: .foreign($0), settings: #"{"a":1}"#)
        }

    static let launches = [
        LaunchPlan(
            application: "com.example.feeds", library: "/opt/feeds/libFeeds.so", sendsLibrary: true,
            isApplication: true, exec: false,
            identity: .account("backup", user: 61_000, group: 61_001, groups: [4, 27]), stateDirectory: "/var/lib/s",
            cacheDirectory: "/var/cache/c", manifestDirectory: "/etc/m", read: ["/usr/share/doc", "/a b/ü"],
            write: ["/var/lib/s"], sockets: ["/dev/log"], ping: true, capabilities: 0b1001, sharedMemory: 1 << 30,
            isRecorded: true, explained: .swiftLibrary,
            ports: [1, 443, 65_535], namesHosts: true,
            holdsAddresses: true,
            hosts: ["a.example 192.0.2.1 2001:db8::1", "b.example"], fileSize: .max,
            dataSize: 1 << 33, processes: 64,
            placements: 0x301, bestEffort: true, strict: true, supportedResources: 1,
            diskIsFull: true, pause: .max,
            information: ApplicationInformation(
                name: "Feed reader", version: "1.2", backgroundModes: ["fetch", "processing"], memory: 1 << 30,
                scene: "Reader.SceneDelegate", sdk: 27)),
        LaunchPlan(
            application: "", library: "", sendsLibrary: false, isApplication: false, exec: true, identity: .host(),
            stateDirectory: "", cacheDirectory: "", manifestDirectory: "", read: [], write: [], ports: [], fileSize: 0,
            dataSize: 0, processes: 0, placements: 0, bestEffort: false),
    ]

    static let hosts = [HostList(lines: []), HostList(lines: ["a.example 192.0.2.1 2001:db8::1", "b.example"])]

    static let reports = [
        ConfinementReport(landlockABI: 0, seccomp: false, ownUser: false, degraded: []),
        ConfinementReport(
            landlockABI: 7, seccomp: true, ownUser: true, degraded: (1...16).map { "limit \($0)" },
            explainer: 4_194_304),
    ]

    static let progress = [
        ProgressReport(completed: 0, total: 0, text: ""),
        ProgressReport(completed: .max, total: .max, text: "half of it, 半分"),
    ]

    static let exits = [
        ExitReport(pid: 1, signal: 0, status: 0, cpuTime: 0, peakMemory: 0),
        ExitReport(pid: .max, signal: 31, status: -1, cpuTime: .max, peakMemory: .max),
    ]

    static let refusals = [
        LaunchRefusal(code: 0, sentence: ""), LaunchRefusal(code: 24, sentence: "fork: zu viele offene Dateien, 太多"),
    ]

    static let starts = [
        (
            StartFrame(
                task: 0, attempt: 1, id: ULID(high: 0, low: 0), deadline: .distantFuture, payloadLength: 0,
                settingsLength: 0
            ), [] as [UInt8]
        ),
        (
            StartFrame(
                task: .max, attempt: .max, id: ULID(high: .max, low: 1), deadline: Instant(nanoseconds: 77),
                payloadLength: 3, settingsLength: 2), [1, 2, 3, 123, 125]
        ),
        (
            StartFrame(
                task: 1, attempt: 2, id: ULID(high: 1, low: 1), deadline: .distantFuture, payloadLength: 0,
                settingsLength: 0, claimNumber: .max), Array("01ARZ3NDEKTSV4RRFFQ69G5FAV".utf8)
        ),
    ]

    static func frame(_ kind: FrameKind, _ write: (inout FrameWriter) -> Void) -> [UInt8] {
        var frame = FrameWriter(kind, run: run)
        write(&frame)
        return frame.finished() ?? []
    }

    static func bytes(of completion: Completion) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: Completion.frameSize)
        bytes.withUnsafeMutableBytes { completion.write(run: run, to: $0) }
        return bytes
    }

    static func bytes(of start: StartFrame, rest: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: StartFrame.headSize)
        bytes.withUnsafeMutableBytes { start.write(run: run, to: $0) }
        return bytes + rest
    }

    static let all: [Sample] =
        completions.enumerated().map { (number, value) in
            Sample("completion \(number)", value, fixed: bytes(of: value)) { (frame) throws(WireError) in
                try Completion(reading: frame)
            }
        }
        + starts.enumerated().map { (number, value) in
            Sample("start \(number)", value.0, fixed: bytes(of: value.0, rest: value.1)) { (frame) throws(WireError) in
                try StartFrame(reading: frame)
            }
        }
        + plans.enumerated().map { (number, value) in
            Sample("task \(number)", value, frame(.task) { value.write(to: &$0) }) { (reader) throws(WireError) in
                try TaskPlan(from: &reader)
            }
        }
        + launches.enumerated().map { (number, value) in
            Sample("launch \(number)", value, frame(.launch) { value.write(to: &$0) }) { (reader) throws(WireError) in
                try LaunchPlan(from: &reader)
            }
        }
        + reports.enumerated().map { (number, value) in
            Sample("confined \(number)", value, value.frame()) { (reader) throws(WireError) in
                try ConfinementReport(from: &reader)
            }
        }
        + hosts.enumerated().map { (number, value) in
            Sample("hosts \(number)", value, value.frame()) { (reader) throws(WireError) in
                try HostList(from: &reader)
            }
        }
        + progress.enumerated().map { (number, value) in
            Sample("progress \(number)", value, value.frame(run: run)) { (reader) throws(WireError) in
                try ProgressReport(from: &reader)
            }
        }
        + exits.enumerated().map { (number, value) in
            Sample("exit \(number)", value, value.frame(callID: run)) { (reader) throws(WireError) in
                try ExitReport(from: &reader)
            }
        }
        + refusals.enumerated().map { (number, value) in
            Sample("launch refusal \(number)", value, value.frame(.launchFailed, run: run)) {
                (reader) throws(WireError) in try LaunchRefusal(from: &reader)
            }
        }
        + ServiceSamples.all + SessionSamples.all + TransferSamples.all
}

extension ForeignFunction {
    /// On the wire, an empty library and none are the same.
    fileprivate var withoutLibrary: ForeignFunction {
        var copy = self
        copy.library = nil
        return copy
    }
}

extension [UInt8] {
    /// The frame with the length in its header that it really has.
    var withTrueLength: [UInt8] {
        guard count >= FrameHeader.size else { return self }
        var copy = self
        copy.withUnsafeMutableBytes { $0.storeBytes(of: UInt32(count).littleEndian, toByteOffset: 4, as: UInt32.self) }
        return copy
    }

    func replacing(_ offset: Int, with byte: UInt8) -> [UInt8] {
        var copy = self
        copy[offset] = byte
        return copy
    }
}
