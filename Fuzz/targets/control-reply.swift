/// Reads the input as a reply to a client, whole and in pieces: both are the same, and nothing is longer than what came. The first
/// byte is the length of a piece.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let reply = input.dropFirst()
    let whole = read(reply, pieces: max(1, reply.count))
    let inPieces = read(reply, pieces: 1 + Int(first))
    precondition(whole.body == inPieces.body, "the body is the same in whatever pieces it comes")
    precondition(whole.reader.status == inPieces.reader.status, "the status as well")
    precondition(whole.reader.contentType == inPieces.reader.contentType, "and the type")
    precondition(whole.reader.isWhole == inPieces.reader.isWhole, "and where it ends")
    precondition(whole.body.count <= reply.count, "no body is longer than what came")
    if let length = whole.reader.length, whole.reader.isWhole {
        precondition(length >= 0, "no length is negative")
        let hasNoBody = whole.reader.status == 204 || whole.reader.status == 304
        precondition(hasNoBody || Int64(whole.body.count) == length, "a whole body has the length that was said")
    }
    return 0
}

private func read(_ input: ArraySlice<UInt8>, pieces: Int) -> (reader: ReplyReader, body: [UInt8]) {
    var reader = ReplyReader()
    var body: [UInt8] = []
    var rest = input
    while !rest.isEmpty, !reader.isBroken {
        let wantsMore = reader.take(rest.prefix(pieces)) { piece, _ in
            body += piece
            return true
        }
        precondition(wantsMore, "who takes all of the body gets all of it")
        rest = rest.dropFirst(pieces)
    }
    _ = reader.takeEnd()
    return (reader, body)
}
