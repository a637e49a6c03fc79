package import Linux
import Manifests

/// A library's file that was opened and trusted. The descriptor stays open: what was checked is what is mapped, whatever
/// happens to the path meanwhile. Applications with the same library share it.
package final class LibraryFile {
    package let descriptor: Descriptor
    package let identity: FileIdentity

    init(_ descriptor: consuming Descriptor, _ identity: FileIdentity) {
        self.descriptor = descriptor
        self.identity = identity
    }
}

/// What a library's file says about itself, as far as it was asked. Only the parts that the answers lie in are read.
final class LibraryFacts {
    private static let applicationSymbol = "taskhost_application_v1"

    /// Why it cannot be loaded here; nil: it can.
    let fault: ELFError?
    /// It exports `taskhost_application_v1`.
    let isApplication: Bool
    /// It needs Foundation: its workers come from the zygote that has it loaded.
    let needsFoundation: Bool
    /// Symbols that were asked for; a nil value: it does not export that one.
    private var kinds: [String: ELFImage.SymbolKind?]
    /// Pages of the file that were read.
    private(set) var pagesRead: Int

    init(reading file: borrowing Descriptor, size: UInt64) {
        do throws(ELFError) {
            let image = try Self.image(file.number, size)
            try image.checkLoadable()
            fault = nil
            let kind = image.kind(of: Self.applicationSymbol)
            isApplication = kind != nil
            needsFoundation = image.needed.contains { $0.hasPrefix("libFoundation") }
            kinds = [Self.applicationSymbol: kind]
            pagesRead = image.pagesRead
        } catch {
            fault = error
            (isApplication, needsFoundation, kinds, pagesRead) = (false, false, [:], 0)
        }
    }

    /// What an exported symbol is; nil when the library does not export it.
    func kind(of symbol: String, in file: LibraryFile) -> ELFImage.SymbolKind? {
        if let known = kinds[symbol] { return known }
        guard let image = try? Self.image(file.descriptor.number, file.identity.size) else { return nil }
        let kind = image.kind(of: symbol)
        kinds[symbol] = .some(kind)
        pagesRead += image.pagesRead
        return kind
    }

    private static func image(_ file: Int32, _ size: UInt64) throws(ELFError) -> ELFImage {
        try ELFImage(size: size) { offset, buffer in
            // A file that cannot be read is as one that ends: the message says so.
            (try? Descriptor.read(from: file, into: buffer, at: Int64(clamping: offset))) ?? 0
        }
    }
}
