extension BGTaskScheduler {
    /// Why a request was not taken.
    public struct Error: CustomNSError, LocalizedError, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
        /// The reasons for which a request is not taken.
        public enum Code: Int, Sendable {
            /// The user has turned off background work, or there is no scheduler here.
            case unavailable = 1
            /// The limit of pending requests of this kind is reached.
            case tooManyPendingTaskRequests = 2
            /// The manifest does not permit the task, or not with the request's terms.
            case notPermitted = 3
            /// Continued processing that must not wait cannot start at once.
            case immediateRunIneligible = 4
        }

        /// The reason.
        public let code: Code
        /// What describes it, by the keys of NSError.
        public let userInfo: [String: Any]

        /// - Parameters:
        ///   - code: the reason.
        ///   - userInfo: what describes it, by the keys of NSError.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            self.code = code
            self.userInfo = userInfo
        }

        /// - Parameter sentence: what happened and what to do about it.
        init(_ code: Code, sentence: String) {
            self.init(
                code,
                userInfo: [
                    NSLocalizedDescriptionKey: "The task request was not taken: \(sentence)",
                    NSLocalizedFailureReasonErrorKey: sentence,
                ])
        }

        /// The domain of these errors.
        public static var errorDomain: String { "BGTaskSchedulerErrorDomain" }
        /// The reason as a number.
        public var errorCode: Int { code.rawValue }
        /// What describes the error, by the keys of NSError.
        public var errorUserInfo: [String: Any] { userInfo }
        /// A sentence to display.
        public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String }
        /// What went wrong, and what to do about it.
        public var failureReason: String? { userInfo[NSLocalizedFailureReasonErrorKey] as? String }
        /// A sentence to display.
        public var localizedDescription: String { errorDescription ?? debugDescription }

        /// The error in one line, as Foundation prints errors.
        public var debugDescription: String {
            let sentence = failureReason.map { "\"\($0)\"" } ?? "\"(null)\""
            return "Error Domain=\(Self.errorDomain) Code=\(code.rawValue) \(sentence)"
        }

        /// Errors are the same when their reasons are.
        public static func == (left: Error, right: Error) -> Bool { left.code == right.code }
        /// Hashes the reason.
        public func hash(into hasher: inout Hasher) { hasher.combine(code) }

        /// The user has turned off background work, or there is no scheduler here.
        public static var unavailable: Code { .unavailable }
        /// The limit of pending requests of this kind is reached.
        public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
        /// The manifest does not permit the task, or not with the request's terms.
        public static var notPermitted: Code { .notPermitted }
        /// Continued processing that must not wait cannot start at once.
        public static var immediateRunIneligible: Code { .immediateRunIneligible }
    }

    /// The domain of the errors that `submit` throws.
    public class var errorDomain: String { Error.errorDomain }
}

extension BGTaskScheduler.Error.Code {
    /// Lets `catch BGTaskScheduler.Error.notPermitted` match.
    public static func ~= (code: BGTaskScheduler.Error.Code, error: any Swift.Error) -> Bool {
        if let error = error as? BGTaskScheduler.Error { return error.code == code }
        let error = error as NSError
        return error.domain == BGTaskScheduler.Error.errorDomain && error.code == code.rawValue
    }
}

/// The domain of the errors of submissions.
public let BGTaskSchedulerErrorDomain = BGTaskScheduler.Error.errorDomain
