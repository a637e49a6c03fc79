import Manifests

/// Reads the input as an ELF file and looks symbols up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let memory = [UInt8](UnsafeBufferPointer(start: start, count: count))
    do {
        let image = try ELFImage(memory)
        precondition(image.needed.count <= ELFImage.maximumNeeded, "names are bounded")
        for name in ["exported", "object_symbol", "thread_symbol", "api", "retired", "absent"] {
            precondition(image.exports(name) == (image.kind(of: name) != nil), "both answers agree")
        }
        for address: UInt64 in [0, 1, 0x1000, 0x1139, .max] {
            if let place = image.function(at: address) { precondition(place.distance <= address, "it begins before") }
        }
        try image.checkLoadable(on: ELFMachine(number: 62))
        precondition(image.is64Bit && !image.isBigEndian && image.type == 3, "what is loadable is for this machine")
    } catch {
        precondition(!error.description.isEmpty, "an error has words")
    }
    return 0
}
