// FoundationNetworking's asynchronous forms do not go through methods that can be overridden, and would load in this process.
extension URLSession {
    private func refuseInBackground() throws {
        guard let session = self as? BackgroundSession else { return }
        throw session.refused(.closure)
    }

    /// The contents of a request's answer. Not for background sessions.
    public func data(
        for request: URLRequest, delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try refuseInBackground()
        return try await self.FoundationNetworking::data(for: request, delegate: delegate)
    }

    /// The contents of a URL. Not for background sessions.
    public func data(
        from url: URL, delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try refuseInBackground()
        return try await self.FoundationNetworking::data(from: url, delegate: delegate)
    }

    /// A file with a request's answer. Not for background sessions.
    public func download(
        for request: URLRequest, delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try refuseInBackground()
        return try await self.FoundationNetworking::download(for: request, delegate: delegate)
    }

    /// Downloads a URL's contents to a file. Not for background sessions.
    public func download(
        from url: URL, delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try refuseInBackground()
        return try await self.FoundationNetworking::download(from: url, delegate: delegate)
    }

    /// Sends a file. Not for background sessions.
    public func upload(
        for request: URLRequest, fromFile fileURL: URL,
        delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try refuseInBackground()
        return try await self.FoundationNetworking::upload(for: request, fromFile: fileURL, delegate: delegate)
    }

    /// Sends bytes. Not for background sessions.
    public func upload(
        for request: URLRequest, from bodyData: Data,
        delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try refuseInBackground()
        return try await self.FoundationNetworking::upload(for: request, from: bodyData, delegate: delegate)
    }
}
