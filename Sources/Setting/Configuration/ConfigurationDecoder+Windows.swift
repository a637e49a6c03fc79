import Manifests
import Scheduling
import TaskModel

extension ConfigurationDecoder {
    static func windows(
        _ node: DocumentNode?, _ document: inout DocumentReader, _ lack: (String) -> TimeZoneFault?
    ) -> [WindowDefinition] {
        let nodes = document.elements(node, limit: ConfigurationLimits.windows, of: "windows of time") ?? []
        return nodes.compactMap { window($0, &document, lack) }
    }

    private static func window(
        _ node: DocumentNode, _ document: inout DocumentReader, _ lack: (String) -> TimeZoneFault?
    ) -> WindowDefinition? {
        guard let fields = document.fields(node, keys: ConfigurationKeys.window) else { return nil }
        let from = document.calendar(
            document.required(fields, "from", expected: "when it begins, five cron fields such as \"0 1 * * *\""))
        let length = document.span(
            document.required(fields, "for", expected: "for how long, such as \"4h\""), in: ConfigurationLimits.window)
        let timeZone = document.timeZone(fields["timeZone"])
        if let node = fields["timeZone"], let timeZone, let fault = lack(timeZone) {
            document.refuse(
                node, expected: "a time zone that this machine has", found: "\"\(timeZone)\": \(fault.description)",
                hint: "take a name from /usr/share/zoneinfo, which the package tzdata fills")
        }
        let isClosed = document.bool(fields["closed"])
        guard let from, let length else { return nil }
        return WindowDefinition(from: from, length: length, timeZone: timeZone, isClosed: isClosed ?? false)
    }
}
