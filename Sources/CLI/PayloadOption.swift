import Control
import Linux

/// `--payload` and `--payload-text`, as several verbs take them.
enum PayloadOption {
    static let options: [Option] = [
        .valued("--payload", "FILE", "bytes for the handler, - for standard input"),
        .valued("--payload-text", "TEXT", "text for the handler"),
    ]

    /// The bytes; none without either option.
    static func read(_ arguments: Arguments, of verb: String) throws(Failure) -> [UInt8] {
        if let text = arguments.value("--payload-text") {
            guard !arguments.has("--payload") else {
                throw .usage("--payload and --payload-text exclude each other; taskhost \(verb); leave one out")
            }
            guard text.utf8.count <= Route.payloadBytes else { throw tooLarge("--payload-text") }
            return Array(text.utf8)
        }
        guard let path = arguments.value("--payload") else { return [] }
        do throws(SystemError) {
            let file = path == "-" ? try Descriptor(adopting: 0).duplicate() : try Descriptor.open(path, .O_RDONLY)
            return try FileSystem.read(file, limit: Route.payloadBytes, naming: path)
        } catch {
            if error.code == .EFBIG { throw tooLarge(path) }
            throw .cannotCreate("the payload cannot be read; \(error); check the path")
        }
    }

    private static func tooLarge(_ name: String) -> Failure {
        .usage(
            "the payload is larger than \(Route.payloadBytes) bytes; \(name); put it into a file that the manifest "
                + "grants and pass its path")
    }
}
