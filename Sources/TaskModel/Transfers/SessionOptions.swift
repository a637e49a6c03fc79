/// A background session's configuration (`URLSessionConfiguration`), with its defaults.
package struct SessionOptions: Sendable, Equatable {
    /// Its transfers may wait for power, an unmetered network and an open window.
    package var isDiscretionary = false
    /// The application is launched for its events.
    package var sendsLaunchEvents = true
    /// A network that costs money will do; also `allowsCellularAccess`.
    package var allowsExpensive = true
    package var allowsConstrained = true
    /// Without any byte for so long an attempt is given up, and made again.
    package var requestTimeout = TimeSpan.seconds(60)
    /// From the creation of a transfer on, after which it fails with `timedOut`.
    package var resourceTimeout = TimeSpan.seconds(7 * 86_400)
    /// Connections to one host at once.
    package var connectionsPerHost: UInt16 = 6
    /// `http://host:port`; empty: none but the host's own.
    package var proxy = ""

    package init() {}
}
