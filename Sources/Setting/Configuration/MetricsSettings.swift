package import TaskModel

/// Where metrics are served over TCP, and to whom.
package struct MetricsSettings: Sendable, Equatable {
    package var listen: SocketAddress
    /// The file with the token that requests carry; nil: they need none.
    package var token: String?

    package init(listen: SocketAddress, token: String?) {
        self.listen = listen
        self.token = token
    }
}
