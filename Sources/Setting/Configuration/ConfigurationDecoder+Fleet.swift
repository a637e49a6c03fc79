import JSON
import Manifests
import TaskModel

extension ConfigurationDecoder {
    /// The hosts with which this one shares requests.
    static func fleet(_ node: DocumentNode?, _ document: inout DocumentReader) -> FleetSettings? {
        guard let fields = document.fields(node, keys: ConfigurationKeys.fleet) else { return nil }
        let database = database(document.required(fields, "database", expected: Self.database), &document)
        let name = document.text(
            fields["name"], limit: ConfigurationLimits.fleetName, expected: "this host's name in the fleet")
        let labels = labels(fields["labels"], &document)
        let lease = document.span(fields["lease"], in: ConfigurationLimits.lease)
        let places = document.integer(fields["places"], in: ConfigurationLimits.places)
        let takesManifests = document.bool(fields["manifests"])
        guard let database else { return nil }
        var settings = FleetSettings(database: database, name: name ?? MachineIdentity.name)
        settings.labels = labels
        if let lease { settings.lease = lease }
        if let places { settings.places = Int(places) }
        settings.takesManifests = takesManifests ?? false
        return settings
    }

    private static let database = "a database as libpq takes it, such as \"service=taskhost\""

    /// No fault shows the text: it may have a password.
    private static func database(_ node: DocumentNode?, _ document: inout DocumentReader) -> String? {
        guard let node else { return nil }
        guard let text = node.value.string else { return document.refused(node, expected: database) }
        guard text.utf8.count <= ConfigurationLimits.connection, let connection = ConnectionText(text) else {
            return document.refused(
                node, expected: database, found: "text that is neither name=value pairs nor a postgresql:// URI",
                hint: "keep a password in libpq's passfile (~/.pgpass), not here")
        }
        guard !connection.hasPassword else {
            return document.refused(
                node, expected: "a database without its password", found: "a password",
                hint: "keep it in libpq's passfile (~/.pgpass), and name a service of its service file "
                    + "(~/.pg_service.conf), as in \"service=taskhost\"")
        }
        return document.text(node, limit: ConfigurationLimits.connection, expected: database)
    }

    private static func labels(_ node: DocumentNode?, _ document: inout DocumentReader) -> [String: String] {
        guard let node else { return [:] }
        let expected = "an object of at most \(ConfigurationLimits.labels) labels, such as {\"room\": \"lab\"}"
        guard case .object(let members) = node.value.content else {
            document.refuse(node, expected: expected)
            return [:]
        }
        if members.count > ConfigurationLimits.labels {
            document.refuse(node, expected: expected, found: "an object of \(members.count)")
        }
        var labels: [String: String] = [:]
        for member in members.prefix(ConfigurationLimits.labels) {
            let place = DocumentNode(member.value, at: node.path.member(member.key))
            if !isLabel(member.key) {
                document.refuse(
                    place, expected: "a label's name of at most 63 letters, digits, \".\", \"_\" and \"-\"",
                    found: "another name")
            }
            labels[member.key] = document.text(
                place, limit: ConfigurationLimits.labelValue, expected: "a label's value, a string")
        }
        return labels
    }

    private static func isLabel(_ name: String) -> Bool {
        (1...63).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0))
            }
    }
}
