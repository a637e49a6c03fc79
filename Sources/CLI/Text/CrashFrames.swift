import CLinux
import Glibc
import JSON
import Manifests
import TaskModel

/// The places that a process said it was at when it crashed, looked up in the symbol tables of the files that it named. Files
/// are read, never mapped as code, and only by the process of whoever asks.
struct CrashFrames {
    private struct Frame {
        var place: CodePlace
        var function: ELFImage.FunctionPlace?
        var isNewer: Bool
    }

    private let frames: [Frame]

    /// nil: the run's diagnostics have no such places.
    init?(_ run: RunRecord) {
        guard let trace = run.diagnostics.lazy.compactMap(CrashTrace.init(diagnostic:)).first else { return nil }
        var files: [String: File] = [:]
        frames = trace.places.enumerated().map { index, place in
            let file = files[place.module] ?? File(place.module)
            files[place.module] = file
            // A file that was built again since would give names that have nothing to do with it.
            let isNewer = run.endedAt.map { file.modified > $0 } ?? false
            guard !isNewer, let image = file.image else { return Frame(place: place, isNewer: isNewer) }
            // All but the innermost are where a call returns to, which may lie behind the end of the caller.
            var function = image.function(at: index == 0 ? place.offset : place.offset &- 1)
            if index > 0 { function?.distance += 1 }
            return Frame(place: place, function: function, isNewer: false)
        }
    }

    /// One line a frame.
    var lines: [String] {
        frames.enumerated().map { index, frame in
            let file = frame.place.module.isEmpty ? "?" : frame.place.module
            let offset = "0x" + String(frame.place.offset, radix: 16)
            let words =
                if let function = frame.function {
                    "\(Self.demangled(function.name)) + \(function.distance)  (\(file))"
                } else {
                    "\(offset)  (\(file)\(frame.isNewer ? ", which is newer than the run" : ""))"
                }
            return "  \(index)  " + JSONWriter.printable(words)
        }
    }

    var json: JSONOutput {
        .array(
            frames.map { frame in
                .object([
                    "module": frame.place.module.isEmpty ? .null : .string(frame.place.module),
                    "offset": JSONOutput(frame.place.offset as UInt64?),
                    "symbol": JSONOutput(frame.function.map { Self.demangled($0.name) }),
                    "symbolOffset": JSONOutput(frame.function?.distance),
                ])
            })
    }

    private static func demangled(_ name: String) -> String {
        guard let text = demangle(name, name.utf8.count, nil, nil, 0) else { return name }
        defer { free(text) }
        return String(cString: text)
    }

    /// A file that may be anything: a regular one is opened, and what it says of itself is checked by the reader.
    private final class File {
        let image: ELFImage?
        let modified: Timestamp
        private let number: Int32

        init(_ path: String) {
            let file = path.hasPrefix("/") ? clinux_open(path, O_RDONLY | O_NONBLOCK, 0) : -1
            var facts = clinux_stat_t()
            guard file >= 0, clinux_fstat(file, &facts) == 0, facts.mode & S_IFMT == S_IFREG else {
                close(file)
                (image, modified, number) = (nil, Timestamp(nanoseconds: 0), -1)
                return
            }
            number = file
            modified = Timestamp(nanoseconds: facts.modified_ns)
            image = try? ELFImage(size: facts.size) { offset, buffer in
                max(0, pread(file, buffer.baseAddress, buffer.count, off_t(clamping: offset)))
            }
        }

        deinit { close(number) }
    }
}

/// Of the Swift runtime (swift/Demangling); nil for names that are not Swift's. The caller frees the result.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
