import Foundation
import TestSupport

/// A real nginx on a port of the loopback, with a folder of feeds. It stops with this object.
///
/// Its access log is what it prints: a line `STATUS PATH match=… since=… encoding=…` for each request.
final class FeedServer {
    private let nginx: Nginx

    /// - Parameter locations: further `location` blocks of its configuration.
    init(locations: String = "") throws {
        nginx = try Nginx(
            folder: TestSupport.Folder(),
            line: "$status $uri match=$http_if_none_match since=$http_if_modified_since"
                + " encoding=$sent_http_content_encoding"
        ) { folder, places in
            """
            types { application/rss+xml rss; application/atom+xml atom; application/rdf+xml rdf; text/html html; }
            gzip on;
            gzip_types *;
            gzip_min_length 0;
            server {
                listen \(places[0]);
                root \(folder)/www;
                location / { }
                \(locations)
            }
            """
        }
    }

    var port: UInt16 { nginx.ports[0] }

    /// Puts one of the sample feeds into its folder, under another name if need be.
    func add(_ sample: String, as name: String? = nil) throws {
        try nginx.folder.write(
            "www/\(name ?? sample)", [UInt8](Data(contentsOf: Places.fixtures.appending(path: "Feeds/\(sample)"))))
    }

    func write(_ name: String, _ text: String) throws { try nginx.folder.write("www/\(name)", text) }

    func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Waits until it has answered so, `count` times in all.
    func wait(forAnswer line: String, count: Int = 1) throws { try nginx.wait(forAnswer: line, count: count) }

    /// Every request up to now.
    var answers: [String] { nginx.answers }
}
