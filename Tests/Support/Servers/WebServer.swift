import Foundation

/// A real nginx with what transfers meet. It stops with this object.
///
/// | path | what it does |
/// |---|---|
/// | `/NAME` | the file, with an ETag, Last-Modified and ranges |
/// | `/throttled/NAME?rate=200k` | at so many bytes a second for each connection |
/// | `/rangeless/NAME` | as a server that knows no ranges |
/// | `/moved/NAME` | 302 to `/NAME` |
/// | `/basic/NAME` | ada and secret, in the realm `the web` |
/// | `/dav/NAME` | PUT writes `NAME` |
/// | `/origin/…` | what `Origin` does (downloads.py), if there is one |
///
/// Each is there in clear text, by TLS with HTTP/2, by TLS to clients with a certificate only, and by TLS with a certificate
/// of another name or of yesterday. It prints `STATUS METHOD PATH range=… bytes=…` of each request.
package final class WebServer {
    /// How it is talked to.
    package enum Door: Int, CaseIterable, Sendable {
        case plain = 0
        case secure, clientCertificate, elsewhere, expired
    }

    package let folder: Folder
    private let nginx: Nginx

    /// - Parameters:
    ///   - folder: what it serves is in `www` of it; nil: a new one.
    ///   - origin: what `/origin/` leads to.
    ///   - locations: further `location` blocks, for every door.
    package init(folder: Folder? = nil, origin: Origin? = nil, locations: String = "") throws {
        let folder = try folder ?? Folder()
        let authority = try Authority.shared.get()
        try folder.write("passwords", "ada:{PLAIN}secret\n")
        self.folder = folder
        nginx = try Nginx(
            folder: folder,
            line: "$status $request_method $request_uri range=$http_range if-range=$http_if_range"
                + " bytes=$body_bytes_sent", ports: Door.allCases.count
        ) { path, doors in
            let upstream =
                origin.map {
                    """
                        location /origin/ {
                            proxy_pass http://127.0.0.1:\($0.port)/; proxy_buffering off; proxy_request_buffering off;
                            proxy_http_version 1.1;
                        }
                    """
                } ?? ""
            let places = """
                    root \(path)/www;
                    client_max_body_size 0;
                    location / { }
                    location /throttled/ { alias \(path)/www/; limit_rate $arg_rate; }
                    location /rangeless/ { alias \(path)/www/; max_ranges 0; }
                    location ~ ^/moved/(.*)$ { return 302 /$1; }
                    location /basic/ {
                        alias \(path)/www/; auth_basic 'the web'; auth_basic_user_file \(path)/passwords;
                    }
                    location /dav/ { alias \(path)/www/; dav_methods PUT DELETE; create_full_put_path on; }
                \(upstream)
                \(locations)
                """
            return "keepalive_requests 1000000;\n"
                + Door.allCases.map { Self.server($0, doors[$0.rawValue], authority, places) }.joined(separator: "\n")
        }
    }

    private static func server(_ door: Door, _ place: String, _ authority: Authority, _ places: String) -> String {
        let name =
            switch door {
            case .elsewhere: "elsewhere"
            case .expired: "expired"
            case .plain, .secure, .clientCertificate: "server"
            }
        let security = """
            ssl_certificate \(authority.certificate(name));
            ssl_certificate_key \(authority.key(name));
            """
        let clients = "ssl_verify_client on; ssl_client_certificate \(authority.path);"
        return """
            server {
                listen \(place)\(door == .plain ? "" : " ssl http2");
                \(door == .plain ? "" : security)
                \(door == .clientCertificate ? clients : "")
            \(places)
            }
            """
    }

    package func port(_ door: Door = .plain) -> UInt16 { nginx.ports[door.rawValue] }

    package func url(_ path: String, by door: Door = .plain) -> String {
        "\(door == .plain ? "http" : "https")://127.0.0.1:\(port(door))/\(path)"
    }

    /// Puts a file into what it serves.
    @discardableResult
    package func add(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try folder.write("www/\(name)", bytes).path
    }

    /// Waits until it has answered so, `count` times in all.
    package func wait(forAnswer line: String, count: Int = 1) throws { try nginx.wait(forAnswer: line, count: count) }

    /// Every request that `wait` has seen up to now.
    package var answers: [String] { nginx.answers }
}
