import Control
import JSON
import Linux

/// `taskhost transfers add` with several URLs, or with `-` for those of standard input.
enum AddedTransfers {
    static func add(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let urls = try urls(arguments)
        for option in ["--wait", "--sha256"] where arguments.has(option) {
            throw .usage("\(option) is for one transfer; \(urls.count) URLs; add that one apart")
        }
        let application = try AddedTransfer.application(arguments)
        let rest = try AddedTransfer.rest(arguments)
        let client = try HostAccess.openAny(arguments, terminal, starts: true)
        var ids: [Int64] = []
        while ids.count < urls.count {
            let part = Self.part(of: urls[ids.count...])
            let transfers = part.map { JSONOutput.object([.init("url", .string($0))] + rest) }
            do throws(Failure) {
                let added = try client.document(
                    .addTransfers, body: .object([application, .init("transfers", .array(transfers))]))
                ids += added["ids"]?.array?.compactMap(\.integer) ?? []
            } catch {
                guard !ids.isEmpty else { throw error }
                report(ids, arguments, terminal)
                throw Failure(error.status, "\(error.sentence); the \(ids.count) before were added")
            }
        }
        report(ids, arguments, terminal)
        return ExitStatus.success
    }

    private static func urls(_ arguments: Arguments) throws(Failure) -> [String] {
        var urls: [String] = []
        for word in arguments.words.dropFirst() {
            if word == "-" { urls += try lines() } else { urls.append(word) }
        }
        guard !urls.isEmpty else {
            throw .usage(
                "a URL is needed; taskhost transfers add; write it, and --for APP, or - for those of standard input")
        }
        return urls
    }

    /// A URL a line; empty lines and those with # in front are none.
    private static func lines() throws(Failure) -> [String] {
        var bytes: [UInt8] = []
        while true {
            let part: [UInt8]
            do throws(SystemError) {
                part = try StandardStream.input.read(65_536)
            } catch {
                throw .usage("standard input cannot be read; \(error); give a URL a line")
            }
            if part.isEmpty { break }
            bytes += part
            guard bytes.count <= mostBytes else {
                throw .usage("these are too many URLs; standard input; at most \(mostBytes >> 20) MiB at one time")
            }
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
            String($0.drop { $0 == " " || $0 == "\t" })
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    private static let mostBytes = 16 << 20
    /// Of URLs in one request, whose body may have 1 MiB.
    private static let bytesOfPart = 256 << 10

    private static func part(of urls: ArraySlice<String>) -> ArraySlice<String> {
        var bytes = 0
        let part = urls.prefix(Route.mostAdded).prefix { url in
            bytes += url.utf8.count
            return bytes <= bytesOfPart
        }
        // One that is too long is refused by itself.
        return part.isEmpty ? urls.prefix(1) : part
    }

    private static func report(_ ids: [Int64], _ arguments: Arguments, _ terminal: Terminal) {
        if arguments.isJSON { return terminal.print(.object([.init("ids", .array(ids.map(JSONOutput.integer)))])) }
        guard let first = ids.first, let last = ids.last else { return }
        terminal.print(
            "\(ids.count) transfers were added: "
                + (first == last ? "\(first)" : "\(first) to \(last)") + "; see them with: taskhost transfers")
    }
}
