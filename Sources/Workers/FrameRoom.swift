/// Room for the frames that one look at a worker's channel takes. Thread: one at a time.
@safe package final class FrameRoom {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: WorkerChannel.batch * WorkerChannel.longestFrame, alignment: 4096)

    package init() {}

    deinit { unsafe bytes.deallocate() }
}
