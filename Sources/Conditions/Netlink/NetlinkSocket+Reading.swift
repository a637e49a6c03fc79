import Linux

extension NetlinkSocket {
    /// Reads what is there, at most 64 datagrams: the rest is readable in the next turn.
    ///
    /// - Parameters:
    ///   - lost: called where the kernel has dropped datagrams.
    ///   - body: gets each datagram, valid for the call.
    @discardableResult
    func readAll(lost: () -> Void, _ body: (RawSpan) -> Void) -> Bool {
        for _ in 0..<64 {
            switch receive() {
            case .nothing: return true
            case .ignored: break
            case .lost: lost()
            case .message(let count): withMessage(count: count, body)
            }
        }
        return false
    }
}
