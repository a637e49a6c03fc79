import CPQ
import TaskModel

/// libpq's options for a connection, complete: of a connection string or URI, of the service file that it names, and of the
/// environment (libpq, "Connection Strings" and "The Connection Service File").
package struct ConnectionOptions: Sendable {
    /// By libpq's keywords.
    private(set) var values: [String: String]

    /// Reads the string and the service file. Connects to nothing.
    package init(_ text: String) throws(FleetError) {
        let library = try LibPQ.map()
        var options = try Self.parse(text, library)
        if ConnectionText(text)?.hasPassword == true {
            throw .options(
                "the fleet's database has a password in its text; others can read it there; "
                    + "put it into ~/.pgpass or the service file (libpq's passfile)")
        }
        options["fallback_application_name"] = options["fallback_application_name"] ?? "taskhost"
        // Kerberos asks name servers and its own, and waits for them.
        options["gssencmode"] = options["gssencmode"] ?? "disable"
        values = try Self.complete(options, library)
    }

    private static func parse(_ text: String, _ library: LibPQ) throws(FleetError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe library.parse(text, &message) else {
            defer { unsafe library.freeMemory(message) }
            let words = unsafe message.map { unsafe String(cString: $0) } ?? "it is no connection string"
            throw .options("the fleet's database cannot be read; \(Self.line(words)); write 'service=NAME' or a URI")
        }
        defer { unsafe library.freeOptions(options) }
        return unsafe read(options)
    }

    /// libpq reads the service file when it opens a connection. This one is refused for its session attributes before any socket
    /// is made.
    private static func complete(
        _ options: [String: String], _ library: LibPQ
    ) throws(FleetError) -> [String: String] {
        var refused = options
        refused["target_session_attrs"] = "none"
        let connection = unsafe PostgresConnection.start(refused, library)
        defer { unsafe library.finish(connection) }
        guard let found = unsafe library.options(connection) else { throw .options("libpq has no memory for a fleet") }
        defer { unsafe library.freeOptions(found) }
        var complete = unsafe read(found)
        let words = unsafe library.errorMessage(connection).map { unsafe String(cString: $0) } ?? ""
        // The expected refusal names the attribute; any other one is the user's.
        guard words.contains("target_session_attrs") else {
            throw .options("the fleet's database cannot be opened; \(line(words)); mend its connection string")
        }
        complete["target_session_attrs"] = options["target_session_attrs"] ?? "read-write"
        complete["password"] = nil
        complete["service"] = options["service"]
        return complete
    }

    private static func read(_ options: LibPQ.Options) -> [String: String] {
        var values: [String: String] = [:]
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val { unsafe values[String(cString: keyword)] = String(cString: value) }
            unsafe next += 1
        }
        return values
    }

    static func line(_ words: String) -> String {
        // Further lines of a message begin with a tab.
        words.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.joined(separator: ", ")
    }

    // MARK: Names

    /// The servers, in their order; a path is a Unix socket's folder.
    var hosts: [String] {
        (values["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Those whose addresses have to be asked for.
    var names: [String] {
        guard values["hostaddr"] == nil else { return [] }
        return hosts.filter { !$0.isEmpty && !$0.hasPrefix("/") && !$0.hasPrefix("@") && NetworkAddress($0) == nil }
    }

    /// The same, with an entry for each address, so that libpq asks no name server. Names without an address are left out.
    ///
    /// - Returns: nil: no server is left.
    func resolved(_ addresses: [String: [NetworkAddress]]) -> ConnectionOptions? {
        guard !names.isEmpty else { return self }
        let ports = (values["port"] ?? "5432").split(separator: ",").map(String.init)
        var entries: [(host: String, address: String, port: String)] = []
        for (index, host) in hosts.enumerated() {
            let port = index < ports.count ? ports[index] : ports.last ?? "5432"
            if names.contains(host) {
                entries += (addresses[host] ?? []).map { (host, $0.description, port) }
            } else {
                entries.append((host, NetworkAddress(host) == nil ? "" : host, port))
            }
        }
        guard !entries.isEmpty else { return nil }
        var resolved = self
        resolved.values["host"] = entries.map(\.host).joined(separator: ",")
        resolved.values["hostaddr"] = entries.map(\.address).joined(separator: ",")
        resolved.values["port"] = entries.map(\.port).joined(separator: ",")
        return resolved
    }

    /// For people: where it leads, without what is secret.
    package var place: String {
        let server = values["service"].map { "service \($0)" } ?? (hosts.first { !$0.isEmpty } ?? "the local server")
        return "database \(values["dbname"] ?? values["user"] ?? "") at \(server)"
    }
}
