import TaskModel
import TestSupport
import Testing
import Wire

/// What no honest sender sends is refused, and nothing traps.
struct RefusalTests {
    @Test(arguments: Samples.all)
    func `Every beginning of a frame is refused`(_ sample: Sample) {
        for length in 0..<sample.bytes.count {
            let part = Array(sample.bytes.prefix(length))
            // As it would come from a socket that cuts messages, and as a liar would send it.
            for frame in [part, part.withTrueLength] {
                #expect(throws: WireError.self, "\(length) of \(sample.bytes.count) bytes") {
                    try frame.withUnsafeBytes { _ = try sample.reads($0) }
                }
            }
        }
    }

    @Test(arguments: Samples.all)
    func `A frame with something behind its end is refused`(_ sample: Sample) {
        for length in [1, 2, 8, 100] {
            let frame = (sample.bytes + Array(repeating: 0, count: length)).withTrueLength
            #expect(throws: WireError.self) { try frame.withUnsafeBytes { _ = try sample.reads($0) } }
        }
    }

    @Test(arguments: Samples.all)
    func `A frame whose header has another length is refused`(_ sample: Sample) {
        let length = UInt32(sample.bytes.count)
        for wrong in [0, 1, 15, 16, length - 1, length + 1, .max] where wrong != length {
            var frame = sample.bytes
            frame.withUnsafeMutableBytes { $0.storeBytes(of: wrong.littleEndian, toByteOffset: 4, as: UInt32.self) }
            #expect(throws: WireError.truncated) { try frame.withUnsafeBytes { _ = try sample.reads($0) } }
        }
    }

    @Test func `Every other version is refused`() {
        for version in UInt8.min...UInt8.max where version != FrameHeader.version {
            let frame = Samples.all[0].bytes.replacing(1, with: version)
            #expect(throws: WireError.unknownVersion(version)) {
                try frame.withUnsafeBytes { _ = try FrameHeader(reading: $0) }
            }
        }
    }

    /// A frame with a value that its decoder does not know.
    struct Fault: CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var decode: @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Void
    }

    private static func deferral(_ pause: TimeSpan) -> Completion {
        Deferral(pause).map { Completion($0) } ?? Completion(success: true)
    }

    private static func completion(
        _ name: String, _ offset: Int, _ byte: UInt8, of completion: Completion = Completion(success: true)
    ) -> Fault {
        Fault(
            testDescription: name,
            bytes: Samples.bytes(of: completion).replacing(offset, with: byte)
        ) { (frame) throws(WireError) in _ = try Completion(reading: frame) }
    }

    private static func task(_ name: String, _ write: (inout FrameWriter) -> Void) -> Fault {
        Fault(testDescription: name, bytes: Samples.frame(.task, write)) { (frame) throws(WireError) in
            var reader = FrameReader(body: frame)
            _ = try TaskPlan(from: &reader)
        }
    }

    /// A task whose handler is a foreign function, from its signature on.
    private static func function(_ name: String, _ write: @escaping (inout FrameWriter) -> Void) -> Fault {
        task(name) { frame in
            frame.text("com.example.a")
            frame.integer(TaskKind.processing.rawValue)
            frame.text("{}")
            frame.integer(UInt8(2))
            frame.text("libz.so.1")
            frame.text("crc32")
            write(&frame)
        }
    }

    private static func bytes(_ frame: inout FrameWriter, _ values: [UInt8]) {
        for value in values { frame.integer(value) }
    }

    private static func count(_ frame: inout FrameWriter, _ count: UInt32) { frame.integer(count) }

    static let faults: [Fault] = [
        completion("success 3", 16, 3),
        completion("a deferral by no time", 16, 2),
        completion("a deferral with a result", 17, 1, of: deferral(.seconds(1))),
        completion("a deferral by the worker itself", 18, 1, of: deferral(.seconds(1))),
        completion("a deferral by less than a second", 27, 0x3A, of: deferral(.seconds(1))),
        completion("a deferral by more than seven days", 24, 1, of: deferral(.seconds(7 * 86_400))),
        completion("result of kind 9", 17, 9),
        completion("a status of 256", 25, 1, of: Completion(.exited(1), success: false)),
        completion("signal 0", 24, 0, of: Completion(.killed(signal: 9), success: false)),
        completion("signal 65", 24, 65, of: Completion(.killed(signal: 9), success: false)),
        completion("a fetch that came to 3", 24, 3, of: Completion(success: true, result: .fetch(.newData))),
        completion("a fetch that came to 256", 25, 1, of: Completion(success: true, result: .fetch(.newData))),
        completion("automatic 255", 18, 255),
        task("task of kind 0") { frame in
            frame.text("com.example.a")
            frame.integer(UInt8(0))
            frame.text("{}")
            frame.integer(UInt8(0))
        },
        task("handler of kind 5") { frame in
            frame.text("com.example.a")
            frame.integer(TaskKind.processing.rawValue)
            frame.text("{}")
            frame.integer(UInt8(5))
        },
        function("result type 16") { frame in
            bytes(&frame, [16])
            count(&frame, 0)
            count(&frame, 0)
            bytes(&frame, [0])
        },
        function("parameter type 255") { frame in
            bytes(&frame, [0])
            count(&frame, 1)
            bytes(&frame, [255])
            count(&frame, 1)
            bytes(&frame, [5, 0])
        },
        function("17 parameters") { frame in
            bytes(&frame, [0])
            count(&frame, 17)
            bytes(&frame, Array(repeating: 12, count: 17))
            count(&frame, 17)
            bytes(&frame, Array(repeating: 5, count: 17) + [0])
        },
        function("fewer arguments than parameters") { frame in
            bytes(&frame, [0])
            count(&frame, 1)
            bytes(&frame, [12])
            count(&frame, 0)
            bytes(&frame, [0])
        },
        function("argument of kind 0") { frame in
            bytes(&frame, [0])
            count(&frame, 1)
            bytes(&frame, [12])
            count(&frame, 1)
            bytes(&frame, [0, 0])
        },
        function("argument of kind 11") { frame in
            bytes(&frame, [0])
            count(&frame, 1)
            bytes(&frame, [12])
            count(&frame, 1)
            bytes(&frame, [11, 0])
        },
        function("boolean 2") { frame in
            bytes(&frame, [0])
            count(&frame, 1)
            bytes(&frame, [1])
            count(&frame, 1)
            bytes(&frame, [4, 2, 0])
        },
        function("callback 4") { frame in
            bytes(&frame, [0])
            count(&frame, 1)
            bytes(&frame, [15])
            count(&frame, 1)
            bytes(&frame, [10, 4, 0])
            count(&frame, 0)
            bytes(&frame, [0])
        },
        function("comparison 7") { frame in
            bytes(&frame, [6])
            count(&frame, 0)
            count(&frame, 0)
            bytes(&frame, [7, 4])
        },
        function("operand of kind 5") { frame in
            bytes(&frame, [6])
            count(&frame, 0)
            count(&frame, 0)
            bytes(&frame, [1, 5])
        },
        Fault(
            testDescription: "17 limits that could not be enforced",
            bytes: ConfinementReport(
                landlockABI: 1, seccomp: true, ownUser: true, degraded: Array(repeating: "", count: 17)
            ).frame()
        ) { (frame) throws(WireError) in
            var reader = FrameReader(body: frame)
            _ = try ConfinementReport(from: &reader)
        },
        Fault(
            testDescription: "negative progress",
            bytes: ProgressReport(completed: -1, total: 1, text: "").frame(run: Samples.run)
        ) { (frame) throws(WireError) in
            var reader = FrameReader(body: frame)
            _ = try ProgressReport(from: &reader)
        },
        Fault(
            testDescription: "negative total",
            bytes: ProgressReport(completed: 1, total: .min, text: "").frame(run: Samples.run)
        ) { (frame) throws(WireError) in
            var reader = FrameReader(body: frame)
            _ = try ProgressReport(from: &reader)
        },
    ]

    @Test(arguments: faults)
    func `An unknown value is refused`(_ fault: Fault) {
        #expect(throws: WireError.badValue) { try fault.bytes.withUnsafeBytes { try fault.decode($0) } }
    }

    @Test func `A count or length beyond the frame is refused before anything is reserved for it`() {
        let lists = Samples.frame(.log) { $0.integer(UInt32.max) }
        lists.withUnsafeBytes { frame in
            #expect(throws: WireError.truncated) {
                var reader = FrameReader(body: frame)
                _ = try reader.read() as [String]
            }
            #expect(throws: WireError.truncated) {
                var reader = FrameReader(body: frame)
                _ = try reader.blob()
            }
        }
        var start = Samples.bytes(of: Samples.starts[1].0, rest: Samples.starts[1].1)
        start.withUnsafeMutableBytes { $0.storeBytes(of: UInt32.max, toByteOffset: 48, as: UInt32.self) }
        #expect(throws: WireError.truncated) { try start.withUnsafeBytes { _ = try StartFrame(reading: $0) } }
    }

    @Test func `Bytes at random and frames with random changes never trap`() {
        let seed = SeededGenerator.chosenSeed()
        print("Wire: TASKHOST_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<TestSupport.Sample.count(3000, of: 20_000) {
            var frame: [UInt8]
            if Bool.random(using: &random) {
                let count = Int.random(in: 0...200, using: &random)
                frame = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                if count > 1 { frame[1] = FrameHeader.version }
            } else {
                frame = Samples.all.randomElement(using: &random)?.bytes ?? []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let offset = Int.random(in: 0..<frame.count, using: &random)
                    frame[offset] = UInt8.random(in: 0...255, using: &random)
                }
            }
            if Bool.random(using: &random) { frame = frame.withTrueLength }
            frame.withUnsafeBytes { bytes in
                for sample in Samples.all {
                    do { _ = try sample.reads(bytes) } catch { refused += 1 }
                }
            }
        }
        #expect(refused > 0, "seed \(seed)")
    }
}
