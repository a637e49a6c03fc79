import Host

/// The host's own settings file.
enum Configuration {
    static func read(_ arguments: Arguments) throws(Failure) -> HostConfiguration { HostConfiguration() }
}
