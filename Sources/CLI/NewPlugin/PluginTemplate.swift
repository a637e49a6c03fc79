import CTemplates
import Manifests

/// The files of a new plugin, with everything filled in.
struct PluginTemplate {
    enum Language: String, CaseIterable {
        case c
        case swift
    }

    struct File {
        /// Relative to the plugin's folder.
        var path: String
        var text: String
    }

    let files: [File]
    /// The identifier's last label, which the folder is called by default.
    let label: String

    /// - Throws: why the identifier is none.
    init(identifier: String, language: Language) throws(SyntaxFault) {
        try IdentifierSyntax.check(identifier)
        let label = identifier.split(separator: ".").last.map(String.init) ?? identifier
        self.label = label
        let substitutes = [
            ("@IDENTIFIER@", identifier),
            ("@NAME@", Self.name(label)),
            ("@FUNCTION@", "run_" + label.map { $0 == "-" ? "_" : $0 }),
            ("@SOURCE@", language == .c ? "plugin.c" : "Sources/Plugin.swift"),
        ]
        func filled(_ text: String) -> String {
            substitutes.reduce(text) { text, pair in text.replacing(pair.0, with: pair.1) }
        }
        files = Self.templates(language).map { File(path: filled($0.path), text: filled($0.text)) }
    }

    /// The label's words with capitals, as in `libDatabaseCare.so`; a digit cannot begin the name of a Swift module.
    private static func name(_ label: String) -> String {
        let words = label.split { $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let name = words.joined()
        return name.first?.isLetter == true ? name : "Plugin" + name
    }

    private static func templates(_ language: Language) -> [File] {
        var files: [File] = []
        while let file = language == .c ? ctemplates_c(files.count) : ctemplates_swift(files.count) {
            // The program's own constants: valid for ever, and of that length.
            let bytes = UnsafeRawBufferPointer(start: file.pointee.text, count: file.pointee.length)
            files.append(
                File(path: String(cString: file.pointee.path), text: String(decoding: bytes, as: UTF8.self)))
        }
        return files
    }
}
