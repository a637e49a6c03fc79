/// One entry of a feed, its texts cut to what is kept.
package struct FeedItem: Sendable, Equatable {
    /// What tells it from the other entries of its feed: guid or id, else its link, else its title and date.
    package var key: String
    package var title = ""
    package var link = ""
    package var author = ""
    package var summary = ""
    /// Seconds since 1970-01-01T00:00:00Z; nil when the feed names no date, or none that can be read.
    package var published: Int64?

    package init(key: String) { self.key = key }
}

/// What a document says.
package struct Feed: Sendable, Equatable {
    package var title = ""
    package var items: [FeedItem] = []

    package init() {}
}

/// What is kept of a feed at most.
package enum FeedLimits {
    /// Feeds of one list.
    package static let feeds = 256
    /// Bytes of a feed's address.
    package static let address = 2048
    /// Entries of one document, from its beginning.
    package static let items = 1000
    /// Elements within elements.
    package static let depth = 64
    /// Bytes of a title, a link, an author or a key.
    package static let line = 2048
    /// Bytes of a summary.
    package static let summary = 16 << 10
    /// Bytes of a document, decompressed, unless the settings say otherwise.
    package static let document = 4 << 20
}
