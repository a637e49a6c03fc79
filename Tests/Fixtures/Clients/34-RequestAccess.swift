import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Loads a feed where that costs nothing, and counts its items.
final class FeedCounter: NSObject, XMLParserDelegate {
    private var items = 0

    func count(at feed: URL) async throws -> Int {
        var request = URLRequest(url: feed, cachePolicy: .reloadRevalidatingCacheData)
        request.allowsExpensiveNetworkAccess = false
        request.allowsConstrainedNetworkAccess = false
        let (data, _) = try await URLSession.shared.data(for: request)
        let parser = XMLParser(data: data)
        parser.delegate = self
        return parser.parse() ? items : 0
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        if elementName == "item" { items += 1 }
    }
}
