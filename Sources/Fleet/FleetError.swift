/// Why a fleet cannot be used. Each sentence says what, where, and what to do.
package enum FleetError: Error, Sendable, Equatable {
    /// libpq is missing, or too old.
    case library(String)
    /// The connection string cannot be read, or names what it must not.
    case options(String)
    /// No connection, or it broke.
    case unreachable(String)
    /// The database has no fleet, another version of it, or rights are lacking.
    case database(String)

    package var sentence: String {
        switch self {
        case .library(let sentence), .options(let sentence), .unreachable(let sentence), .database(let sentence):
            sentence
        }
    }
}
