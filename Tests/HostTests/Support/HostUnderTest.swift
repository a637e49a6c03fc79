import Host

/// The host, where Foundation has another `Host`.
typealias HostUnderTest = Host
