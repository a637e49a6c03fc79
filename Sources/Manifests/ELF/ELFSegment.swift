/// A part of the file that the loader maps (PT_LOAD).
struct ELFSegment {
    var address: UInt64
    var offset: UInt64
    /// Bytes in the file; zeroes that the loader adds are not counted.
    var size: UInt64
}

/// A stretch of the file.
struct ELFRange {
    var offset: UInt64
    var size: UInt64
}

extension [ELFSegment] {
    /// The place of a mapped address in the file, and the number of bytes of its segment that follow.
    func fileRange(at address: UInt64) -> ELFRange? {
        for segment in self where address >= segment.address && address - segment.address < segment.size {
            let distance = address - segment.address
            let (offset, overflow) = segment.offset.addingReportingOverflow(distance)
            return overflow ? nil : ELFRange(offset: offset, size: segment.size - distance)
        }
        return nil
    }
}
