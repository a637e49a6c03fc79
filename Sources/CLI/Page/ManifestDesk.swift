package import Control
package import JSON
import Linux
import Manifests
package import PageDoor
package import Setting

/// Reads, checks and writes manifests for the page, as this process's user.
package final class ManifestDesk: PageManifests {
    /// Where a command without a path is looked for: what confined programs may execute.
    private static let programs = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"]

    package let mostBytes = ManifestLimits.fileBytes
    private let accounts: AccountRules

    package init(_ accounts: AccountRules) { self.accounts = accounts }

    package func show(_ path: String, of known: KnownManifests, isReadOnly: Bool) throws(Problem) -> JSONOutput {
        let spot = try ManifestSpot(path, known)
        guard let (bytes, _) = try spot.read() else { throw .noSuchManifest(path) }
        let text = String(validating: bytes, as: UTF8.self)
        let why =
            isReadOnly
            ? "nothing can be changed here; taskhost ui --read-only, or a user who may only read; use a text editor"
            : spot.why?.detail ?? (text == nil ? "it is not UTF-8; \(spot.path); correct it by hand" : nil)
        return .object([
            "path": .string(path), "text": .string(text ?? String(decoding: bytes, as: UTF8.self)),
            "digest": .string(try digest(of: bytes)), "mayWrite": .bool(why == nil), "why": JSONOutput(why),
            "faults": ManifestFaults(bytes, at: spot.path, known, accounts).json,
        ])
    }

    package func check(_ text: String, at path: String?, of known: KnownManifests) throws(Problem) -> JSONOutput {
        let bytes = Array(text.utf8)
        let place: String
        if let path {
            place = try ManifestSpot(path, known).path
        } else {
            // Whether it can be written there shows when it is.
            let name = Self.identifier(in: bytes) ?? "new"
            place = (try? ManifestSpot(of: name, known).path) ?? "\(known.places.first ?? "/")/\(name).json"
        }
        return .object(["faults": ManifestFaults(bytes, at: place, known, accounts).json])
    }

    package func write(
        _ text: String, at path: String?, replacing digest: String?, of known: KnownManifests
    ) throws(Problem) -> ControlReply {
        let bytes = Array(text.utf8)
        guard bytes.count <= mostBytes else { throw .bodyTooLarge(limit: mostBytes) }
        let spot: ManifestSpot
        if let path {
            spot = try ManifestSpot(path, known)
        } else {
            // Without an identifier the faults are the answer.
            spot = try ManifestSpot(of: Self.identifier(in: bytes) ?? "new", known)
        }
        let former = try former(spot, digest)
        let document = try? JSONParser.parse(bytes, maximumBytes: mostBytes)
        let before = former.flatMap { try? JSONParser.parse($0.bytes, maximumBytes: mostBytes) }
        if let refusal = document.flatMap({ ManifestRights.refusal(of: $0, instead: before) }) {
            throw .unwritable(refusal, spot.path, "whose rights programs have is decided by hand: edit the file")
        }
        let faults = ManifestFaults(bytes, at: spot.path, known, accounts)
        guard document != nil, !faults.hasErrors else { return faults.refusal(spot.path) }
        do throws(SystemError) {
            try ManifestFile.put(bytes, at: spot.path, instead: former?.facts, isNew: former == nil)
        } catch {
            if error.code == .EEXIST { throw .existsAlready(spot.path) }
            throw .unwritable("the manifest cannot be written: \(error)", spot.path, "write it by hand")
        }
        return .json(
            .object([
                "path": .string(path ?? spot.path), "digest": .string(try self.digest(of: bytes)),
                "faults": faults.json,
            ]), status: former == nil ? 201 : 200)
    }

    /// The file that is to be replaced, which is the one that was edited; nil: there is none, and none was.
    private func former(
        _ spot: ManifestSpot, _ digest: String?
    ) throws(Problem) -> (bytes: [UInt8], facts: FileSystem.Facts)? {
        if digest == nil, spot.isThere || spot.isListed { throw .existsAlready(spot.path) }
        if digest != nil, !spot.isListed { throw .noSuchManifest(spot.path) }
        if let why = spot.why { throw why }
        guard let digest else { return nil }
        guard let found = try spot.read(), try self.digest(of: found.bytes) == digest else {
            throw .changedMeanwhile(spot.path)
        }
        return found
    }

    package func propose(_ job: ProposedJob, of known: KnownManifests) throws(Problem) -> JSONOutput {
        let text = try CommandManifest.text(job) { name in
            Self.programs.map { "\($0)/\(name)" }.first { FileSystem.allows(.execute, to: $0) }
        }
        return .object([
            "path": .string(try ManifestSpot(of: job.identifier, known).path), "text": .string(text),
        ])
    }

    /// The identifier that a text gives its application, if it is one.
    private static func identifier(in text: [UInt8]) -> String? {
        let document = try? JSONParser.parse(text, maximumBytes: ManifestLimits.fileBytes)
        guard let identifier = document?["identifier"]?.string, (try? IdentifierSyntax.check(identifier)) != nil else {
            return nil
        }
        return identifier
    }

    /// SHA-256, as `sha256sum` prints it.
    private func digest(of bytes: [UInt8]) throws(Problem) -> String {
        do throws(SystemError) {
            let file = try MemoryFile.sealed(bytes, name: "manifest")
            return FileDigest.text(try FileDigest.sha256(of: file.number))
        } catch {
            throw Problem(
                500, "internal", title: "Internal error",
                detail: "the text has no digest; SHA-256: \(error); install the library of OpenSSL")
        }
    }
}
