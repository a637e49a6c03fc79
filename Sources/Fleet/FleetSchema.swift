/// The fleet's schema in a database: its version, and how it comes there.
package enum FleetSchema {
    /// The version that this program speaks.
    package static var version: Int { steps.count }

    /// Each makes the version of its place, counted from 1, of the one before.
    private static let steps = [
        PackageResources.fleet_1_sql, PackageResources.fleet_2_sql, PackageResources.fleet_3_sql,
    ]

    /// The statements that make this version; they are one transaction.
    ///
    /// - Parameter found: the version that is there; 0: none is.
    static func statements(from found: Int) -> String {
        (found == 0 ? "CREATE SCHEMA IF NOT EXISTS taskhost;\n" : "")
            + steps.dropFirst(found).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    /// The version that `FleetStatement.version` has found, if this program can make its own of it.
    static func olderVersion(in answer: StatementAnswer) -> Int? {
        guard case .rows(let rows) = answer, let found = rows.first?.first.flatMap({ $0 }).flatMap({ Int($0) }),
            (1..<version).contains(found)
        else { return nil }
        return found
    }

    /// Why the fleet that `FleetStatement.version` was asked of cannot be used; nil: it can.
    ///
    /// - Parameter place: the database, for people.
    static func fault(of answer: StatementAnswer, at place: String) -> String? {
        switch answer {
        case .rows(let rows):
            let found = rows.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
            guard found != version else { return nil }
            return "the fleet has another version; \(place): \(found), and this taskhost knows \(version); "
                + (found > version ? "install a newer taskhost" : "run 'taskhost fleet init'")
        case .refused(let fault): return sentence(of: fault, at: place)
        }
    }

    /// What the server refuses, for people.
    static func sentence(of fault: StatementFault, at place: String) -> String {
        switch fault.code {
        // invalid_schema_name, undefined_function, undefined_table, undefined_column
        case "3F000", "42883", "42P01", "42703":
            "the database has no fleet, or an older one; \(place); run 'taskhost fleet init' with a user who owns the database"
        // insufficient_privilege
        case "42501":
            "the user has too few rights; \(place): \(fault.message); have an administrator grant the role "
                + "taskhost_submitter, taskhost_reader, taskhost_host (drains too) or taskhost_operator (rolls out)"
        // The schema's own say where and what to do.
        case let code where code.hasPrefix("TH"): fault.message
        default: "the fleet refused it; \(place): \(fault.message); see the database's log"
        }
    }
}
