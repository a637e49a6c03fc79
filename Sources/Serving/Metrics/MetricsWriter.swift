package import Host
package import TaskModel

/// The forms in which Prometheus and its like read metrics.
package enum MetricsForm: Sendable {
    /// text 0.0.4
    case text
    /// OpenMetrics 1.0.0, with units, creation times and examples.
    case openMetrics

    /// - Parameter accept: the request's field `Accept`; nil: it has none.
    package init(accept: String?) {
        self = accept?.lowercased().contains("application/openmetrics-text") == true ? .openMetrics : .text
    }

    package var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}

/// The labels of a sample, written once: `a="b",c="d"`.
package struct MetricLabels: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var text: [UInt8] = []

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    package mutating func add(_ name: String, _ value: String) {
        if !text.isEmpty { text.append(UInt8(ascii: ",")) }
        text += name.utf8
        text += "=\"".utf8
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case UInt8(ascii: "\n"): text += "\\n".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// These with one more.
    package func adding(_ name: String, _ value: String) -> MetricLabels {
        var labels = self
        labels.add(name, value)
        return labels
    }
}

/// Writes families of metrics, one after another. It keeps parts, so that a long text is not copied as it grows.
package struct MetricsWriter {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// Bytes of a part, but for the last sample that it takes.
    private static let partLength = 64 << 10
    private let form: MetricsForm
    private var parts: [[UInt8]] = []
    private var bytes: [UInt8] = []
    private var name = ""
    private var kind = Kind.gauge

    package init(_ form: MetricsForm) { self.form = form }

    /// Begins a family.
    ///
    /// - Parameter name: without the `_total` of counters. Its last word is the unit, if it is one.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        (self.name, self.kind) = (name, kind)
        let shown = form == .text && kind == .counter ? name + "_total" : name
        bytes += "# HELP \(shown) \(help)\n# TYPE \(shown) \(kind.rawValue)\n".utf8
        let unit = ["seconds", "bytes", "ratio"].first { name.hasSuffix("_" + $0) }
        if form == .openMetrics, let unit { bytes += "# UNIT \(shown) \(unit)\n".utf8 }
    }

    /// A sample of a counter or gauge.
    ///
    /// - Parameter created: when a counter began to count, if that was with this host.
    package mutating func sample(_ labels: MetricLabels = [:], _ value: UInt64, created: Timestamp? = nil) {
        line(kind == .counter ? "_total" : "", labels, String(value))
        if let created { self.created(created, labels) }
    }

    package mutating func sample(_ labels: MetricLabels = [:], _ value: Double, created: Timestamp? = nil) {
        line(kind == .counter ? "_total" : "", labels, Self.text(value))
        if let created { self.created(created, labels) }
    }

    /// A moment, in seconds since 1970; nil: 0.
    package mutating func sample(_ labels: MetricLabels = [:], _ time: Timestamp?) {
        line("", labels, time.map(Self.text) ?? "0")
    }

    package mutating func sample(_ labels: MetricLabels = [:], _ histogram: Histogram, created: Timestamp) {
        var sum: UInt64 = 0
        for (place, count) in histogram.counts.enumerated() {
            sum += count
            let bound = place < histogram.bounds.count ? Self.text(histogram.bounds[place].seconds) : "+Inf"
            line(
                "_bucket", labels.adding("le", bound), String(sum),
                histogram.example.flatMap { $0.place == place ? $0 : nil })
        }
        line("_sum", labels, Self.text(histogram.sum.seconds))
        line("_count", labels, String(sum))
        self.created(created, labels)
    }

    /// The whole text, in parts.
    package consuming func finish() -> [[UInt8]] {
        if form == .openMetrics { bytes += "# EOF\n".utf8 }
        return parts + [bytes]
    }

    private mutating func created(_ time: Timestamp, _ labels: MetricLabels) {
        if form == .openMetrics { line("_created", labels, Self.text(time)) }
    }

    private mutating func line(
        _ suffix: String, _ labels: MetricLabels, _ value: String, _ example: Histogram.Example? = nil
    ) {
        bytes += name.utf8
        bytes += suffix.utf8
        if !labels.text.isEmpty {
            bytes.append(UInt8(ascii: "{"))
            bytes += labels.text
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: " "))
        bytes += value.utf8
        if form == .openMetrics, let example {
            bytes += " # {run=\"\(example.run)\"} \(Self.text(example.span.seconds)) \(Self.text(example.at))".utf8
        }
        bytes.append(UInt8(ascii: "\n"))
        guard bytes.count >= Self.partLength else { return }
        parts.append(bytes)
        bytes = []
        bytes.reserveCapacity(Self.partLength + Self.partLength / 8)
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    private static func text(_ time: Timestamp) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
