import CCurl
import Glibc
import Host
import JSON
import Linux
import Manifests
import TaskModel

/// Client certificates of manifests and their keys, held together by what transfers use for it: libcurl, which loads them before
/// it speaks to a server.
enum ClientKeys {
    /// A warning for each application whose key does not fit its certificate, or one of them cannot be used. Those that cannot be
    /// read, or have faults that the manifest's reader tells, are left out. It parses files of the applications: not in a host.
    static func warnings(_ catalogue: Catalogue) -> [Diagnostic] {
        catalogue.applications.compactMap { application in
            let definition = application.definition
            let isTold = catalogue.diagnostics.contains {
                $0.file == definition.manifestPath
                    && ($0.path == "$.transfers.key" || $0.path == "$.transfers.certificate")
            }
            guard !isTold, let certificate = bytes(of: definition.transfers.certificate, definition),
                let key = bytes(of: definition.transfers.key, definition), let fault = fault(of: certificate, key)
            else { return nil }
            return Diagnostic(
                severity: .warning, file: definition.manifestPath, position: .start, path: "$.transfers.key",
                found: "\"\(definition.transfers.key)\" (\(fault))",
                expected: "the key of the certificate \(definition.transfers.certificate)",
                hint: "both say the same for the right one: openssl x509 -in CERTIFICATE -pubkey -noout; "
                    + "openssl pkey -in KEY -pubout")
        }
    }

    private static func bytes(of path: String, _ definition: ApplicationDefinition) -> [UInt8]? {
        let name = "$MANIFEST"
        let whole = path.hasPrefix(name + "/") ? definition.manifestFolder + path.dropFirst(name.count) : path
        guard whole.hasPrefix("/"), let file = try? Descriptor.open(whole, O_RDONLY | O_NONBLOCK) else { return nil }
        return try? FileSystem.read(file, limit: 256 << 10, naming: whole)
    }

    /// What libcurl says of them when it is about to speak to a listener of our own, whom nothing reaches; nil: nothing.
    private static func fault(of certificate: [UInt8], _ key: [UInt8]) -> String? {
        guard let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { return nil }
        defer { close(listener) }
        guard let port = port(of: listener), taskhost_curl_stop_before_handshake(easy) == CURLE_OK else { return nil }
        let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        defer { words.deallocate() }
        words[0] = 0
        _ = taskhost_curl_set_pointer(easy, CURLOPT_URL, "https://127.0.0.1:\(port)/")
        _ = taskhost_curl_set_pointer(easy, CURLOPT_PROXY, "")
        _ = taskhost_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        _ = taskhost_curl_set_number(easy, CURLOPT_TIMEOUT_MS, 5_000)
        _ = taskhost_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        _ = taskhost_curl_set_blob(easy, CURLOPT_SSLCERT_BLOB, certificate, certificate.count)
        _ = taskhost_curl_set_blob(easy, CURLOPT_SSLKEY_BLOB, key, key.count)
        _ = taskhost_curl_set_pointer(easy, CURLOPT_KEYPASSWD, "")
        guard curl_easy_perform(easy) == CURLE_SSL_CERTPROBLEM else { return nil }
        return words[0] == 0 ? "it cannot be used" : String(cString: words)
    }

    /// Listens on this machine alone; connections come about without being taken.
    private static func port(of listener: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        return isListening ? UInt16(bigEndian: address.sin_port) : nil
    }
}
