package import Foundation
import FoundationXML

/// Reads RSS 2.0 (and 0.9x, 1.0) and Atom 1.0. Nothing outside of the document is looked up.
package enum FeedParser {
    /// - Parameter address: where the document was found, for relative links.
    package static func parse(_ document: Data, address: URL) throws(FeedProblem) -> Feed {
        let reader = FeedReader(address: address)
        let parser = XMLParser(data: try FeedEncoding.utf8(document))
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isWhole = parser.parse()
        if let problem = reader.problem { throw problem }
        if let fault = reader.fault { throw .notXML(line: fault.line, reason(fault.error)) }
        // The parser takes a document that was cut for one that is whole.
        guard isWhole, reader.hasEnded else { throw .notXML(line: parser.lineNumber, "it ends too early") }
        return reader.feed
    }

    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        return error.domain == XMLParser.errorDomain ? "fault \(error.code) of the XML parser" : "\(error)"
    }
}

/// What is heard of a document, element by element. *Thread*: the one that parses.
private final class FeedReader: NSObject, XMLParserDelegate {
    private(set) var feed = Feed()
    private(set) var problem: FeedProblem?
    /// The first fault of the XML.
    private(set) var fault: (line: Int, error: any Error)?
    /// The root element was closed.
    private(set) var hasEnded = false

    private static let atom = "http://www.w3.org/2005/Atom"
    private static let rss1 = "http://purl.org/rss/1.0/"
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let dublinCore = "http://purl.org/dc/elements/1.1/"
    private static let content = "http://purl.org/rss/1.0/modules/content/"

    /// Which text is being gathered.
    private enum Field { case key, title, link, author, summary, content, date, updated, feedTitle }

    private struct Draft {
        var item = FeedItem(key: "")
        var content = ""
        var updated: Int64?
    }

    private let address: URL
    private var draft: Draft?
    private var field: Field?
    private var text = ""
    private var depth = 0
    /// Where the item, and the field, began.
    private var itemDepth = 0
    private var fieldDepth = 0
    private var parents: [String] = []

    init(address: URL) { self.address = address }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        guard depth <= FeedLimits.depth else { return stop(parser, .tooDeep) }
        let space = namespaceURI ?? ""
        defer { parents.append(name) }
        if depth == 1 {
            let isFeed =
                name == "rss" && space.isEmpty || name == "feed" && space == Self.atom
                || name == "RDF" && space == Self.rdf
            if !isFeed { stop(parser, .notAFeed(String((qualifiedName ?? name).prefix(64)))) }
            return
        }
        // Markup within a text: its own text is gathered.
        guard field == nil else { return }
        if draft == nil {
            if name == "item" && (space.isEmpty || space == Self.rss1) || name == "entry" && space == Self.atom {
                draft = Draft()
                itemDepth = depth
                // RSS 1.0 names its items so.
                draft?.item.key = trimmed(attributes["rdf:about"] ?? attributes["about"] ?? "", FeedLimits.line)
            } else if name == "title", isOwn(space), parents.last == "channel" || parents.last == "feed" {
                begin(.feedTitle)
            }
        } else if depth == itemDepth + 1 {
            if let field = Self.field(name, space) { begin(field) }
            if name == "link", space == Self.atom { takeLink(attributes) }
        } else if depth == itemDepth + 2, name == "name", space == Self.atom, parents.last == "author" {
            begin(.author)
        }
    }

    private func isOwn(_ space: String) -> Bool { space.isEmpty || space == Self.atom || space == Self.rss1 }

    private static func field(_ name: String, _ space: String) -> Field? {
        switch (space, name) {
        case ("", "guid"), (atom, "id"): .key
        case ("", "title"), (atom, "title"), (rss1, "title"): .title
        case ("", "link"), (rss1, "link"): .link
        case ("", "author"), (dublinCore, "creator"): .author
        case ("", "description"), (atom, "summary"), (rss1, "description"): .summary
        case (content, "encoded"), (atom, "content"): .content
        case ("", "pubDate"), (atom, "published"), (dublinCore, "date"): .date
        case (atom, "updated"): .updated
        default: nil
        }
    }

    /// Atom: the link without `rel`, or with `alternate`, is the entry's.
    private func takeLink(_ attributes: [String: String]) {
        guard attributes["rel"] ?? "alternate" == "alternate", let target = attributes["href"],
            draft?.item.link.isEmpty == true
        else { return }
        draft?.item.link = absolute(target)
    }

    private func begin(_ new: Field) {
        field = new
        fieldDepth = depth
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { gather(characters) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { gather(String(decoding: block, as: UTF8.self)) }

    private func gather(_ characters: String) {
        // Somewhat more than is kept: spaces at both ends go.
        guard field != nil, text.utf8.count < 2 * FeedLimits.summary else { return }
        text += characters
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        defer {
            depth -= 1
            _ = parents.popLast()
        }
        if depth == 1 { hasEnded = true }
        if let ended = field, depth == fieldDepth {
            field = nil
            keep(ended)
        } else if draft != nil, depth == itemDepth {
            finishItem()
        }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        if fault == nil { fault = (parser.lineNumber, parseError) }
    }

    private func keep(_ field: Field) {
        let line = trimmed(text, FeedLimits.line)
        guard !line.isEmpty else { return }
        switch field {
        case .feedTitle: if feed.title.isEmpty { feed.title = line }
        case .key: draft?.item.key = line
        case .title: draft?.item.title = line
        case .link: draft?.item.link = absolute(line)
        case .author: draft?.item.author = line
        case .summary: draft?.item.summary = trimmed(text, FeedLimits.summary)
        case .content: draft?.content = trimmed(text, FeedLimits.summary)
        case .date: draft?.item.published = FeedDate.seconds(line)
        case .updated: draft?.updated = FeedDate.seconds(line)
        }
    }

    private func finishItem() {
        guard let draft else { return }
        self.draft = nil
        var item = draft.item
        if item.summary.isEmpty { item.summary = draft.content }
        if item.published == nil { item.published = draft.updated }
        if item.key.isEmpty { item.key = item.link }
        if item.key.isEmpty, !item.title.isEmpty { item.key = "\(item.title) \(item.published ?? 0)" }
        // Nothing tells it from others, nor to a reader.
        guard !item.key.isEmpty, feed.items.count < FeedLimits.items else { return }
        feed.items.append(item)
    }

    private func absolute(_ link: String) -> String {
        let link = trimmed(link, FeedLimits.line)
        guard !link.isEmpty, let url = URL(string: link, relativeTo: address) else { return link }
        return url.absoluteString
    }

    private func trimmed(_ text: String, _ most: Int) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count > most else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: most)
        while UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }

    private func stop(_ parser: XMLParser, _ problem: FeedProblem) {
        if self.problem == nil { self.problem = problem }
        parser.abortParsing()
    }
}
