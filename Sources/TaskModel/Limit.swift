/// How much a host takes of what others fill, and what happens with one more. Nothing that comes from outside is without a bound;
/// those that a manifest or the configuration sets are theirs, `ManifestLimits` and `ConfigurationLimits` bound these.
///
/// Everything here is inlined, so that a constant that takes its number from a row stays one.
@frozen package struct Limit: Sendable {
    @frozen package enum Unit: Sendable { case count, bytes }

    /// What is limited, as users call it.
    package let subject: String
    package let most: Int
    package let unit: Unit
    /// What happens with one more.
    package let beyond: String

    @inlinable
    package init(_ subject: String, _ most: Int, _ unit: Unit = .count, beyond: String) {
        self.subject = subject
        self.most = most
        self.unit = unit
        self.beyond = beyond
    }
}

extension Limit {
    // MARK: Runs and requests

    @inlinable package static var payload: Limit {
        Limit("payload of a run or a request", 128 << 10, .bytes, beyond: "the request is refused")
    }
    @inlinable package static var settings: Limit {
        Limit("settings in place of a manifest's", 64 << 10, .bytes, beyond: "the request is refused")
    }
    @inlinable package static var postedRuns: Limit {
        Limit("runs that were asked for and have not ended", 10_000, beyond: "`POST /v1/runs` answers 429")
    }
    @inlinable package static var postedBytes: Limit {
        Limit("payloads and settings of these", 64 << 20, .bytes, beyond: "`POST /v1/runs` answers 429")
    }
    @inlinable package static var deferrals: Limit {
        Limit("deferrals of a request in a row", 10, beyond: "its next pause is no shorter than after a failure")
    }
    @inlinable package static var overlaps: Limit {
        Limit(
            "runs at once of a task whose schedule lets them overlap", 16,
            beyond: "the next time of the schedule waits for the end of one")
    }
    @inlinable package static var faults: Limit {
        Limit("simulated faults that wait", 100, beyond: "`simulate` is refused")
    }

    // MARK: An application's process

    @inlinable package static var frame: Limit {
        Limit("frame of a process", 200 << 10, .bytes, beyond: "the process is ended")
    }
    @inlinable package static var openCalls: Limit {
        Limit("calls of a process without an answer", 64, beyond: "the process is ended")
    }
    @inlinable package static var backlog: Limit {
        Limit("bytes that a process does not read", 8 << 20, .bytes, beyond: "the process is ended")
    }
    @inlinable package static var assertions: Limit {
        Limit("assertions of a process at once", 1024, beyond: "`beginBackgroundTask` returns `invalid`")
    }

    // MARK: Transfers of an application

    @inlinable package static var sessions: Limit {
        Limit("background sessions", 32, beyond: "a session is refused with a sentence")
    }
    @inlinable package static var transfers: Limit {
        Limit("transfers that are not over, or not acknowledged", 20_000, beyond: "the transfer ends with an error")
    }
    @inlinable package static var transferURL: Limit {
        Limit("URL of a transfer", 4096, .bytes, beyond: "the transfer is refused")
    }
    @inlinable package static var transferHeaders: Limit {
        Limit("headers of a transfer's request", 6144, .bytes, beyond: "the transfer is refused with their size")
    }
    @inlinable package static var redirects: Limit {
        Limit("redirects of a transfer", 20, beyond: "the transfer ends with an error")
    }
    @inlinable package static var answerHeaders: Limit {
        Limit("headers of an answer that are kept", 16 << 10, .bytes, beyond: "the others are left out")
    }
    @inlinable package static var webhooks: Limit {
        Limit(
            "webhooks that wait, of an application", 32,
            beyond: "the webhook is dropped, which the run and the journal say")
    }
    @inlinable package static var allWebhooks: Limit {
        Limit("webhooks that wait, in all", 256, beyond: "the webhook is dropped, which the run and the journal say")
    }

    // MARK: Readers

    @inlinable package static var events: Limit {
        Limit(
            "events that a reader can catch up with", 1024,
            beyond: "the oldest are dropped, and the reader is told that it missed some")
    }
    @inlinable package static var eventBytes: Limit {
        Limit(
            "bytes of these events", 128 << 10, .bytes,
            beyond: "the oldest are dropped, and the reader is told that it missed some")
    }
    @inlinable package static var longAnswers: Limit {
        Limit("long answers that are being built", 256, beyond: "the API answers 503 with `Retry-After`")
    }
    @inlinable package static var forecasts: Limit {
        Limit("forecasts that wait", 16, beyond: "the API answers 503 with `Retry-After`")
    }
    @inlinable package static var metricTasks: Limit {
        Limit(
            "tasks and applications with metrics of their own", 1000, beyond: "they count as `other`, or are left out")
    }
    @inlinable package static var spans: Limit {
        Limit("spans that wait for a collector", 2048, beyond: "new ones are dropped and counted")
    }

    // MARK: The record

    @inlinable package static var journalLines: Limit {
        Limit("lines of the journal", 20_000, beyond: "the oldest are forgotten")
    }
    @inlinable package static var journalBytes: Limit {
        Limit("bytes of the journal", 8 << 20, .bytes, beyond: "the oldest lines are forgotten")
    }
    @inlinable package static var transferLines: Limit {
        Limit(
            "lines of the journal about an application's transfers in an hour", 256,
            beyond: "the others are counted in one line")
    }
    @inlinable package static var terminations: Limit {
        Limit("terminations", 2000, beyond: "the oldest are forgotten")
    }
    @inlinable package static var pauses: Limit {
        Limit("pauses of a run", 256, beyond: "later ones count only in the time that the run was suspended")
    }
    @inlinable package static var waits: Limit {
        Limit("waits of a run", 16, beyond: "later ones are left out")
    }

    package static let all = [
        payload, settings, postedRuns, postedBytes, deferrals, overlaps, faults, frame, openCalls, backlog, assertions,
        sessions,
        transfers,
        transferURL, transferHeaders, redirects, answerHeaders, webhooks, allWebhooks, events, eventBytes, longAnswers,
        forecasts,
        metricTasks, spans, journalLines, journalBytes, transferLines, terminations, pauses, waits,
    ]
}
