import Linux
import JSON
import Manifests
import TaskModel

/// Places in code, looked up in the symbol tables of their files. Files are read, never mapped as code, and only with the
/// rights of the user.
struct CodeFrames {
    private struct Frame {
        var place: CodePlace
        /// Demangled.
        var function: String?
        /// Bytes from its beginning.
        var distance: UInt64?
        var isNewer = false
    }

    private let frames: [Frame]

    /// Where a run's process crashed, by its own report; nil: it did not report.
    init?(crashOf run: RunRecord) {
        guard let trace = run.diagnostics.lazy.compactMap(CrashTrace.init(diagnostic:)).first else { return nil }
        self.init(trace.places, asOf: run.endedAt, innermostIsCall: false)
    }

    /// The code that began an assertion.
    ///
    /// - Parameter moment: of its application's termination.
    init(of assertion: OpenAssertion, asOf moment: Timestamp) {
        self.init(assertion.frames, asOf: moment, innermostIsCall: true)
    }

    /// - Parameters:
    ///   - places: innermost first.
    ///   - moment: newer files are ignored.
    ///   - innermostIsCall: the first place is where a call returns to, as the others are.
    private init(_ places: [CodePlace], asOf moment: Timestamp?, innermostIsCall: Bool) {
        var files: [String: File] = [:]
        frames = places.enumerated().map { index, place in
            let file = files[place.module] ?? File(place.module)
            files[place.module] = file
            // A file that was built again since would give names that have nothing to do with it.
            let isNewer = moment.map { file.modified > $0 } ?? false
            guard !isNewer, let image = file.image else { return Frame(place: place, isNewer: isNewer) }
            // A return address may be after the end of the caller.
            let back: UInt64 = index > 0 || innermostIsCall ? 1 : 0
            let function = image.function(at: place.offset &- back)
            return Frame(
                place: place, function: function.map { SwiftSymbol.demangled($0.name) },
                distance: function.map { UInt64($0.distance) + back })
        }
    }

    /// The function of the application that began it: the first one outside of the kit that its call went through.
    private var own: Frame? {
        frames.first { frame in
            !(frame.function.map(FunctionName.isOfKit) ?? false) && !frame.place.module.hasSuffix("/taskhost-worker")
        } ?? frames.first
    }

    /// That function's name with its offset: `saveDraft() + 28`; without one, its place. nil: unknown.
    var origin: String? {
        guard let own else { return nil }
        if let function = own.function { return JSONWriter.printable("\(function) + \(own.distance ?? 0)") }
        guard !own.place.module.isEmpty else { return nil }
        let file = own.place.module.split(separator: "/").last ?? ""
        return JSONWriter.printable("\(file)+0x\(String(own.place.offset, radix: 16))")
    }

    /// A name for what that function began: without arguments and modules.
    var name: String? {
        own?.function.map { JSONWriter.printable(String($0.prefix(while: { $0 != "(" && $0 != " " }))) }
    }

    /// One line a frame.
    var lines: [String] {
        frames.enumerated().map { index, frame in
            let file = frame.place.module.isEmpty ? "?" : frame.place.module
            let offset = "0x" + String(frame.place.offset, radix: 16)
            let words =
                if let function = frame.function {
                    "\(function) + \(frame.distance ?? 0)  (\(file))"
                } else {
                    "\(offset)  (\(file)\(frame.isNewer ? ", which is newer than the run" : ""))"
                }
            return "  \(index)  " + JSONWriter.printable(words)
        }
    }

    var json: JSONOutput { .array(frames.indices.map(json(at:))) }

    /// One of them.
    func json(at index: Int) -> JSONOutput {
        let frame = frames[index]
        return .object([
            "module": frame.place.module.isEmpty ? .null : .string(frame.place.module),
            "offset": JSONOutput(frame.place.offset as UInt64?), "symbol": JSONOutput(frame.function),
            "symbolOffset": JSONOutput(frame.distance),
        ])
    }

    /// An arbitrary file: only a regular one is opened, and the reader checks its contents.
    private final class File {
        let image: ELFImage?
        let modified: Timestamp
        private let file: Descriptor?

        init(_ path: String) {
            guard path.hasPrefix("/"), let file = try? Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]),
                let facts = try? FileSystem.facts(of: file), facts.isFile
            else {
                (image, modified) = (nil, Timestamp(nanoseconds: 0))
                self.file = nil
                return
            }
            let number = file.number
            self.file = consume file
            modified = Timestamp(nanoseconds: facts.modified)
            image = try? ELFImage(size: facts.size) { offset, length in
                (try? Descriptor.read(from: number, length, at: Int64(clamping: offset))) ?? []
            }
        }
    }
}
