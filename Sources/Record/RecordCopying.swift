/// A copy of the record that grows a little at a time while the record is written. Thread: the record's.
package protocol RecordCopying: AnyObject {
    /// Bytes so far, and of the whole.
    var copied: Int64 { get }
    var size: Int64 { get }

    /// Copies so many pages more; true once the copy is whole. Between turns only: what is not durable may never be.
    func copy(pages: Int32) throws(StoreError) -> Bool
}
