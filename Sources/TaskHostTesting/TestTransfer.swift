public import Foundation

/// A transfer of a background `URLSession`, which waits for what a test lets its server answer.
public struct TestTransfer: Sendable, Equatable {
    /// The identifier of its session.
    public let session: String
    /// `taskIdentifier`.
    public let identifier: Int
    /// Where it goes.
    public let url: URL?
    /// Of HTTP.
    public let method: String
    /// The fields of its request.
    public let headers: [String: String]
    /// The file that it sends; nil: it is a download.
    public let file: URL?
    /// `taskDescription`.
    public let text: String
    /// `earliestBeginDate`.
    public let earliestBeginDate: Date?
    /// It was not resumed, or was suspended since.
    public let isSuspended: Bool

    /// It sends a file.
    public var isUpload: Bool { file != nil }
}
