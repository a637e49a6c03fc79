import Foundation

/// What processes weigh.
enum Memory {
    /// The proportional set size in bytes; nil: there is no such process.
    static func proportional(_ process: Int32) -> Double? {
        guard let text = text(of: "/proc/\(process)/smaps_rollup"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
            let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return kibibytes * 1024
    }

    /// Read to the end: the whole-file readers of Foundation take files of /proc for as short as their first piece.
    static func text(of path: String) -> String? {
        FileHandle(forReadingAtPath: path).map { String(decoding: $0.readDataToEndOfFile(), as: UTF8.self) }
    }
}
