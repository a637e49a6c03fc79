import Linux

/// A descriptor that came with an order. Each writer or syncer keeps it open.
final class OpenFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    var number: Int32 { descriptor.number }
}
