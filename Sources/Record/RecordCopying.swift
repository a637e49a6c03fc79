/// A copy of the record that grows a little at a time while the record is written. Thread: the record's.
package protocol RecordCopying: AnyObject {
    /// Bytes so far, and of the whole.
    var copied: Int64 { get }
    var size: Int64 { get }

    /// A turn is written, and not committed: it can go on in a later one.
    var isHeldUp: Bool { get }

    /// Copies this many more pages; true once the copy is complete. Between turns only: data that are not durable may
    /// be lost.
    func copy(pages: Int32) throws(StoreError) -> Bool
}
