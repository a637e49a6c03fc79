import Manifests
import TaskModel

extension ConfigurationDecoder {
    /// Metrics over TCP. Without a token only processes of this machine may ask.
    static func metrics(_ node: DocumentNode?, _ document: inout DocumentReader) -> MetricsSettings? {
        guard let fields = document.fields(node, keys: ConfigurationKeys.metrics) else { return nil }
        let expected = "an address and a port, such as \"127.0.0.1:9464\" or \"[::1]:9464\""
        let listen = document.required(fields, "listen", expected: expected)
        let token = document.text(fields["token"], limit: ConfigurationLimits.path, expected: "a file's path")
        if let node = fields["token"], let token, !token.hasPrefix("/") {
            document.refuse(node, expected: "an absolute path")
        }
        guard let listen, let text = document.text(listen, limit: ConfigurationLimits.path, expected: expected) else {
            return nil
        }
        guard let place = SocketAddress(text) else {
            document.refuse(listen, expected: expected)
            return nil
        }
        if !place.isLoopback, fields["token"] == nil {
            document.refuse(
                listen, expected: "an address of this machine alone, such as \"127.0.0.1:9464\"",
                hint: "add \"token\", the path of a file with a secret that requests must carry")
        }
        return MetricsSettings(listen: place, token: token)
    }

    /// The collector of traces.
    static func telemetry(_ node: DocumentNode?, _ document: inout DocumentReader) -> String? {
        guard let fields = document.fields(node, keys: ConfigurationKeys.telemetry) else { return nil }
        let expected = "a URL such as \"http://127.0.0.1:4318\""
        guard let node = document.required(fields, "endpoint", expected: expected),
            let text = document.text(node, limit: ConfigurationLimits.url, expected: expected)
        else { return nil }
        guard TelemetrySettings.isEndpoint(text) else {
            document.refuse(node, expected: expected, hint: "leave out user, query and \"/v1/traces\"")
            return nil
        }
        return text
    }
}
