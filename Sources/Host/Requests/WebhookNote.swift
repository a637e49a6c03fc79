import TaskModel

/// What a run's diagnostics say of its webhook: that it is owed the run's record, and then how that went. Only places are
/// shown: a path may be a secret.
enum WebhookNote {
    private static let owed = "its failure is to be told to "
    private static let delivered = "its failure was told"
    private static let lost = "its failure could not be told"

    static func owed(to webhook: String) -> String { owed + place(of: webhook) }

    /// - Parameter clause: how it went.
    static func told(_ isDelivered: Bool, _ webhook: String, _ clause: String) -> String {
        "\(isDelivered ? delivered : lost) to \(place(of: webhook)): \(clause)"
    }

    static func isOwed(_ sentence: String) -> Bool { sentence.hasPrefix(owed) }

    /// It is owed, and nobody has told it since.
    static func isOwed(_ diagnostics: [String]) -> Bool {
        diagnostics.contains(where: isOwed)
            && !diagnostics.contains { $0.hasPrefix(delivered) || $0.hasPrefix(lost) }
    }

    private static func place(of webhook: String) -> String { WebURL(webhook)?.origin ?? ShownURL.none }
}
