/// A manifest that is rolled out to a host. The text is the database's word: it is checked like any other manifest.
package struct FleetManifest: Sendable, Equatable {
    /// Of them, and bytes of each, at most: what a database that is not as `taskhost.roll_out` leaves it cannot exceed here.
    package static let most = 256
    package static let mostBytes = 262_144

    package var application: String
    package var text: String

    package init(application: String, text: String) {
        self.application = application
        self.text = text
    }

    /// - Parameter row: of `FleetStatement.rollouts`; nil: it is another one.
    init?(_ row: [String?]) {
        guard row.count == 2, let application = row[0], let text = row[1], text.utf8.count <= Self.mostBytes else {
            return nil
        }
        self.init(application: application, text: text)
    }
}
