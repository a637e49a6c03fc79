package import TaskModel

/// Limits of a worker's requests. Both sides know them: a worker that exceeds one breaks the protocol.
package enum ServiceLimits {
    /// Bytes of an identifier, as in manifests.
    package static let identifier = 255
    /// Bytes of a title, and of a subtitle.
    package static let title = 256
    /// Bytes of a sentence.
    package static let sentence = 1024
    /// Calls of one worker that may be unanswered at once.
    package static let openCalls = Limit.openCalls.most
    /// Concrete identifiers of wildcards that one worker may have handlers for.
    package static let handlers = 3840
    /// Assertions of one worker at once.
    package static let assertions = UInt32(Limit.assertions.most)
    /// Requests of one `pendingList` frame.
    package static let pending = 128
}

extension RunHandle {
    /// The number that joins a worker's question and the host's answer travels in the place of a run.
    package init(callID: UInt32) { self.init(index: callID, generation: 0) }
    package var callID: UInt32 { index }
}

/// A request on its way to the host (`submitRequest`), and back in the list of pending ones.
extension TaskRequest: FramePart {
    /// A whole `submitRequest` frame.
    package func frame(callID: UInt32) -> [UInt8] {
        var frame = FrameWriter(.submitRequest, run: RunHandle(callID: callID))
        write(to: &frame)
        return frame.finished() ?? []
    }

    /// Reads the body of a `submitRequest` frame to its end. The origin of what is read is always the application.
    package init(from frame: inout FrameReader) throws(WireError) {
        try self.init(partOf: &frame)
        try frame.end()
    }

    package func write(to frame: inout FrameWriter) {
        frame.write(identifier, kind)
        frame.flags(
            terms.earliestBeginDate != nil, terms.requiresExternalPower, terms.requiresNetwork, terms.strategy == .fail)
        frame.write(terms.earliestBeginDate?.nanoseconds ?? 0, terms.requiredResources)
        frame.text(title, most: ServiceLimits.title)
        frame.text(subtitle, most: ServiceLimits.title)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let identifier = try frame.text(most: ServiceLimits.identifier)
        let kind: TaskKind = try frame.read()
        // Those of events are the host's own affair.
        guard !kind.isEvent else { throw .badValue }
        let flags = try frame.flags(4)
        var terms = RequestTerms()
        let earliest: Int64
        (earliest, terms.requiredResources) = try frame.read()
        terms.earliestBeginDate = flags[0] ? Timestamp(nanoseconds: earliest) : nil
        (terms.requiresExternalPower, terms.requiresNetwork) = (flags[1], flags[2])
        terms.strategy = flags[3] ? .fail : .queue
        let title = try frame.text(most: ServiceLimits.title)
        let subtitle = try frame.text(most: ServiceLimits.title)
        self.init(identifier: identifier, kind: kind, terms: terms, title: title, subtitle: subtitle)
    }
}

/// Which pending requests a worker cancels (`cancelRequests`). The answer is a `submitted` frame without a fault.
package struct CancelFrame: Sendable, Equatable {
    /// Empty: all of the application's.
    package var identifier: String

    package init(identifier: String) { self.identifier = identifier }

    package func frame(callID: UInt32) -> [UInt8] {
        var frame = FrameWriter(.cancelRequests, run: RunHandle(callID: callID))
        frame.text(identifier)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        identifier = try frame.text(most: ServiceLimits.identifier)
        try frame.end()
    }
}

/// The host's answer to `submitRequest` and `cancelRequests` (`submitted`): the change is on disk, or why not.
package struct SubmissionReply: Sendable, Equatable {
    package var fault: SubmissionFault?

    package init(_ fault: SubmissionFault? = nil) { self.fault = fault }

    package func frame(callID: UInt32) -> [UInt8] {
        var frame = FrameWriter(.submitted, run: RunHandle(callID: callID))
        frame.integer(fault?.code.rawValue ?? 0)
        frame.text(fault?.sentence ?? "", most: ServiceLimits.sentence)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        let number = try frame.integer(UInt32.self)
        let sentence = try frame.text(most: ServiceLimits.sentence)
        if number == 0 {
            fault = nil
        } else {
            guard let code = SubmissionError(rawValue: number) else { throw .badValue }
            fault = SubmissionFault(code, sentence)
        }
        try frame.end()
    }
}

/// The host's answer to `pendingRequests` (`pendingList`), in as many frames as needed.
package struct PendingList: Sendable, Equatable {
    package var requests: [TaskRequest]
    /// Another frame of the same call ID follows.
    package var more: Bool

    package init(requests: [TaskRequest], more: Bool) {
        self.requests = requests
        self.more = more
    }

    /// The frames that carry `requests`: at least one, even of an empty list.
    package static func frames(of requests: [TaskRequest], callID: UInt32) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = requests[...]
        repeat {
            let part = rest.prefix(ServiceLimits.pending)
            rest = rest.dropFirst(part.count)
            frames.append(PendingList(requests: Array(part), more: !rest.isEmpty).frame(callID: callID))
        } while !rest.isEmpty
        return frames
    }

    package func frame(callID: UInt32) -> [UInt8] {
        var frame = FrameWriter(.pendingList, run: RunHandle(callID: callID))
        frame.write(more, requests)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (more, requests) = try frame.read()
        guard requests.count <= ServiceLimits.pending else { throw .badValue }
        try frame.end()
    }

    /// The question itself.
    package static func question(callID: UInt32) -> [UInt8] {
        FrameWriter(.pendingRequests, run: RunHandle(callID: callID)).finished() ?? []
    }
}
