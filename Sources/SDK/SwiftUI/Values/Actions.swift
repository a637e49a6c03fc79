/// Removes a view that is presented. None is: it does nothing.
@MainActor @preconcurrency public struct DismissAction {
    nonisolated init() {}
    /// Does nothing.
    public func callAsFunction() {}
}

/// Opens a URL: nothing is opened.
public struct OpenURLAction {
    private let handler: ((URL) -> Result)?
    init() { handler = nil }
    /// - Parameter handler: called for each URL.
    public init(handler: @escaping (URL) -> Result) { self.handler = handler }
    /// Calls the handler; without one nothing happens.
    public func callAsFunction(_ url: URL) { _ = handler?(url) }
    /// Calls the handler; without one nothing happens, and `completion` gets false.
    public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {
        completion(handler?(url).isHandled ?? false)
    }

    /// What became of a URL.
    public struct Result: Sendable {
        let isHandled: Bool
        /// It has been opened.
        public static let handled = Result(isHandled: true)
        /// It has not been opened.
        public static let discarded = Result(isHandled: false)
        /// The system is to open it: it does not.
        public static let systemAction = Result(isHandled: false)
        /// The system is to open another: it does not.
        public static func systemAction(_ url: URL) -> Result { systemAction }
    }
}

/// Opens a window: nothing is opened.
@MainActor @preconcurrency public struct OpenWindowAction {
    nonisolated init() {}
    /// Does nothing.
    public func callAsFunction(id: String) {}
    /// Does nothing.
    public func callAsFunction<Value: Decodable & Encodable & Hashable>(value: Value) {}
    /// Does nothing.
    public func callAsFunction<Value: Decodable & Encodable & Hashable>(id: String, value: Value) {}
}

/// Reloads what a view shows.
public struct RefreshAction: Sendable {
    /// Does nothing. No environment has such an action.
    public func callAsFunction() async {}
}

/// The presentation of a view: it is not presented.
public struct PresentationMode: Sendable {
    /// Whether it is presented: no.
    public var isPresented: Bool { false }
    /// Does nothing.
    public mutating func dismiss() {}
}
