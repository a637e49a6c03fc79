/// The place of a span in a trace: the ids of W3C Trace Context.
package struct TraceIdentity: Sendable, Equatable {
    package var traceHigh: UInt64
    package var traceLow: UInt64
    package var span: UInt64

    /// The root span of a run: its id is the trace's, so that one leads to the other.
    package init(of run: ULID) {
        traceHigh = run.high
        traceLow = run.low
        span = Self.number(run.low)
    }

    /// A span of somebody else, as `traceparent` names it: `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits. nil: it is none.
    package init?(traceparent text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts[1].utf8.count == 32,
            parts[2].utf8.count == 16, parts[3].utf8.count == 2, parts[0] != "00" || parts.count == 4,
            parts[..<4].joined().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let high = UInt64(parts[1].prefix(16), radix: 16), let low = UInt64(parts[1].suffix(16), radix: 16),
            let span = UInt64(parts[2], radix: 16), high | low != 0, span != 0
        else { return nil }
        (traceHigh, traceLow, self.span) = (high, low, span)
    }

    /// The root span of a run that has a parent: the trace is the parent's.
    package init(of run: ULID, under parent: TraceIdentity?) {
        self.init(of: run)
        if let parent { (traceHigh, traceLow) = (parent.traceHigh, parent.traceLow) }
    }

    /// The span with that number of the same trace.
    package func child(_ number: UInt64) -> TraceIdentity {
        var child = self
        child.span = Self.number(span &+ number)
        return child
    }

    /// Zero is no span.
    private static func number(_ value: UInt64) -> UInt64 { value == 0 ? 1 << 63 : value }

    /// As W3C Trace Context writes it, of a trace that is recorded.
    package var traceparent: String { "00-\(traceText)-\(spanText)-01" }
    /// Bytes of that.
    package static let traceparentLength = 55

    package var traceText: String { Hexadecimal.text(traceHigh) + Hexadecimal.text(traceLow) }
    package var spanText: String { Hexadecimal.text(span) }
}
