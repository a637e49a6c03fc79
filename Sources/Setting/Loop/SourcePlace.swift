import Linux

/// One source's door to the poller: its tags become keys that carry its number.
final class SourcePlace: SourceRegistry {
    private let number: UInt32
    private let poller: Poller

    init(number: UInt32, poller: Poller) {
        self.number = number
        self.poller = poller
    }

    private func key(_ tag: UInt32) -> UInt64 { SourceKey(.source, index: tag, generation: number).bits }

    func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
        try poller.add(fd, key: key(tag), urgent: urgent)
    }

    func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setWritable(fd, on, key: key(tag)) }
    func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) { poller.setReadable(fd, on, key: key(tag)) }
    func remove(_ fd: Int32) { poller.remove(fd) }
}
