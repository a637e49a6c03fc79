package import Linux
import Manifests

/// An opened and trusted library file. The descriptor stays open, so that the checked file is the one that is mapped, even
/// if the path changes. Applications with the same library share it.
package final class LibraryFile {
    package let descriptor: Descriptor
    package let identity: FileIdentity

    init(_ descriptor: consuming Descriptor, _ identity: FileIdentity) {
        self.descriptor = descriptor
        self.identity = identity
    }
}

/// The requested facts about a library's file. Only the parts with the answers are read.
final class LibraryFacts {
    private static let applicationSymbol = "taskhost_application_v1"

    /// Why it cannot be loaded here; nil: it can.
    let fault: ELFError?
    /// It exports `taskhost_application_v1`.
    let isApplication: Bool
    /// What the zygote of its workers has loaded.
    let needs: LibraryNeeds
    /// Requested symbols; a nil value: it does not export that one.
    private var kinds: [String: ELFImage.SymbolKind?]
    /// Pages of the file that were read.
    private(set) var pagesRead: Int

    /// - Throws: when the file cannot be read. The facts are then unknown, and another attempt may succeed.
    init(reading file: borrowing Descriptor, size: UInt64) throws(SystemError) {
        let reader = LibraryReader(file.number)
        do throws(ELFError) {
            let image = try reader.image(size)
            try image.checkLoadable()
            fault = nil
            let kind = image.kind(of: Self.applicationSymbol)
            isApplication = kind != nil
            needs = LibraryNeeds(image.needed)
            kinds = [Self.applicationSymbol: kind]
            pagesRead = image.pagesRead
        } catch {
            fault = error
            (isApplication, needs, kinds, pagesRead) = (false, .system, [:], 0)
        }
        if let fault = reader.fault { throw fault }
    }

    /// What an exported symbol is; nil when the library does not export it.
    func kind(of symbol: String, in file: LibraryFile) throws(SystemError) -> ELFImage.SymbolKind? {
        if let known = kinds[symbol] { return known }
        let reader = LibraryReader(file.descriptor.number)
        let image = try? reader.image(file.identity.size)
        let kind = image?.kind(of: symbol)
        if let fault = reader.fault { throw fault }
        guard let image else { return nil }
        kinds[symbol] = .some(kind)
        pagesRead += image.pagesRead
        return kind
    }
}

/// Reads a library's file. To the image it ends where it cannot be read: whether that was so is asked here.
private final class LibraryReader {
    private let file: Int32
    private(set) var fault: SystemError?

    init(_ file: Int32) { self.file = file }

    func image(_ size: UInt64) throws(ELFError) -> ELFImage {
        try ELFImage(size: size) { offset, length in
            do throws(SystemError) {
                return try Descriptor.read(from: self.file, length, at: Int64(clamping: offset))
            } catch {
                self.fault = error
                return []
            }
        }
    }
}
