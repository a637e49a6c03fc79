import Foundation
import Testing

/// The scripts of `taskhost completion`, in the shells themselves.
@Suite("taskhost completion")
struct CompletionTests {
    /// Runs a script of a shell beside the printed completion, in a folder with the examples' manifests.
    private func complete(_ shell: String, _ script: String) throws -> [String] {
        let folder = try Folder()
        try folder.write("completion", try Tool.run("completion", shell).output)
        let products = try Places.taskhost.deletingLastPathComponent().path
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let tool = try Tool.execute(
            "/usr/bin/env", [shell, "-c", script, folder.file("completion").path],
            in: folder, environment: ["PATH": "\(products):\(path)", "COMPLETION": folder.file("completion").path])
        #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool)")
        return tool.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    private static let manifests = Places.root.path

    @Test("completes verbs, options and tasks in bash")
    func bash() throws {
        let script = """
            . "$COMPLETION"; cd '\(Self.manifests)'
            try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _taskhost; printf '%s\\n' "${COMPREPLY[*]}"; }
            try taskhost fo; try taskhost run --st; try taskhost run org.taskhost.examples.crc
            """
        #expect(try complete("bash", script) == ["forecast foreground", "--state", "org.taskhost.examples.crc32"])
    }

    @Test("completes verbs, options and tasks in fish")
    func fish() throws {
        let script = """
            source $COMPLETION; cd '\(Self.manifests)'
            for line in 'taskhost forec' 'taskhost run --st' 'taskhost run org.taskhost.examples.crc'
                complete -C $line | string split -f 1 \\t; or true
            end
            """
        #expect(try complete("fish", script) == ["forecast", "--state", "org.taskhost.examples.crc32"])
    }

    @Test("completes verbs, options and tasks in zsh")
    func zsh() throws {
        // What zsh's own functions are given.
        let script = """
            _describe() { print -r -- "${(@M)verbs:#forecast:*}" }
            _arguments() { print -rl -- "${(@M)@:#--state*}" }
            cd '\(Self.manifests)'
            CURRENT=2 words=(taskhost fo); . "$COMPLETION"
            CURRENT=3 words=(taskhost run --st); . "$COMPLETION"
            """
        let lines = try complete("zsh", script)
        #expect(lines.first?.hasPrefix("forecast:when tasks would run") == true, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("--state[folder of the record") }, "\(lines)")
    }

    @Test("knows these shells alone", arguments: [["completion"], ["completion", "tcsh"]])
    func unknown(_ words: [String]) throws {
        let tool = try Tool.run(words)
        #expect(tool.status == 64 && tool.sentences.contains { $0.contains("bash") }, "\(tool)")
    }
}
