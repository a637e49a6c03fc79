package import TaskModel

/// What an application may know of a transfer of its own: number, request, standing, and how many bytes there are, and are to be.
/// Everything else has its default where it is read: no number of the host's, no name, no time, no end, and of the states those
/// that a standing tells apart.
extension BackgroundTransfer: FramePart {
    package func write(to frame: inout FrameWriter) {
        frame.write(number, request, standing, progress.received, progress.sent, progress.total)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let (number, request, standing): (UInt32, TransferRequest, Standing) = try frame.read()
        let state: TransferState =
            switch standing {
            case .running, .canceling: .running
            case .suspended: .suspended
            case .completed: .ended
            }
        self.init(
            id: 0, session: 0, of: "", "", number: number, created: Timestamp(nanoseconds: 0), request: request,
            state: state)
        isCanceling = standing == .canceling
        (progress.received, progress.sent, progress.total) = try frame.read()
    }
}
