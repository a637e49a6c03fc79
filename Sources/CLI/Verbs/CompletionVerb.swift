/// `taskhost completion bash|zsh|fish`
enum CompletionVerb: Verb {
    static let name = "completion"
    static let summary = "print a script that completes the command line in a shell"
    static let help = """
        usage: taskhost completion bash|zsh|fish

        Completes verbs, options and the identifiers of tasks. make install puts the scripts where the shells look; else:

          bash   eval "$(taskhost completion bash)", in ~/.bashrc
          zsh    taskhost completion zsh >~/.zfunc/_taskhost, with ~/.zfunc in fpath
          fish   taskhost completion fish >~/.config/fish/completions/taskhost.fish

        exit status: 0 · 64 usage.
        """
    static let options: [Option] = []

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let known = ShellCompletion.allCases.map(\.rawValue)
        let word = try arguments.onlyWord(of: name, "shell", "write \(known.joined(separator: ", "))")
        guard let shell = ShellCompletion(rawValue: word) else {
            throw .unknownWord(word, of: name, known: known, "write \(known.joined(separator: ", "))")
        }
        terminal.print(shell.script(CommandLineMain.verbs))
        return ExitStatus.success
    }
}
