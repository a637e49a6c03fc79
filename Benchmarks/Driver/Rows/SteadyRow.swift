import Foundation

/// How long a durable request takes at a steady rate, from the moment at which it is due to the news of its end.
enum SteadyRow {
    private static let rate = 800

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return [] }
        let samples = try laboratory.interleaved([{ try ours(laboratory) }])[0]
        return [
            RowResult(
                name: "steady", title: "durable requests at \(rate) a second, until the news of their ends",
                unit: .seconds,
                ours: samples.map(\.p50).median, oursP99: samples.map(\.p99).median, referenceTitle: "", aim: "",
                verdict: .shown)
        ]
    }

    private static func ours(_ laboratory: Laboratory) throws -> Percentiles {
        try laboratory.withFolder { folder in
            let state = "\(folder)/state"
            let daemon = try Daemon(laboratory, state: state, manifests: laboratory.options.plugins)
            // The measurement itself is work for the processors, which holds requests back.
            try daemon.overrideDevice(#"{"cpu": "nominal"}"#)
            return try laboratory.reference("steady", ["\(state)/control.sock", Subject.steady, "--rate", "\(rate)"])
                .decode(LatencyDocument.self).latency
        }
    }
}
