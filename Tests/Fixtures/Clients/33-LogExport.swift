import Foundation
import OSLog

enum LogExport {
    static func lines(since date: Date) throws -> [String] {
        let store = try OSLogStore(scope: .currentProcessIdentifier)
        let position = store.position(date: date)
        return try store.getEntries(at: position)
            .compactMap { $0 as? OSLogEntryLog }
            .filter { $0.subsystem == Bundle.main.bundleIdentifier && $0.level != .debug }
            .map { "[\($0.date.formatted())] [\($0.category)] \($0.composedMessage)" }
    }

    static func newest() throws -> OSLogEntry? {
        let store = try OSLogStore(scope: .currentProcessIdentifier)
        return try store.getEntries(with: [.reverse], at: store.position(timeIntervalSinceEnd: -60)).first { _ in true }
    }
}
