/// A script that completes the command line in a shell, from the verbs' own tables.
enum ShellCompletion: String, CaseIterable {
    case bash, zsh, fish

    /// Verbs whose words are identifiers of tasks.
    private static let ofTasks = [
        "run", "submit", "cancel", "retry", "skip", "describe", "why", "show", "logs", "history", "notify",
    ]
    /// Prints the identifiers of tasks, one a line.
    private static let tasks =
        #"taskhost list --json 2>/dev/null | grep -o '"identifier":"[^"]*"' | cut -d '"' -f 4 | sort -u"#

    func script(_ verbs: [any Verb.Type]) -> String {
        switch self {
        case .bash: Self.bash(verbs)
        case .zsh: Self.zsh(verbs)
        case .fish: Self.fish(verbs)
        }
    }

    private static func names(_ verbs: [any Verb.Type]) -> String { verbs.map { $0.name }.joined(separator: " ") }

    private static func bash(_ verbs: [any Verb.Type]) -> String {
        let options = verbs.map { verb in
            "    \(verb.name)) options='\((verb.options + [.help]).map(\.name).joined(separator: " "))' ;;"
        }
        return """
            # Completion of taskhost for bash; made by: taskhost completion bash
            _taskhost() {
                local word=${COMP_WORDS[COMP_CWORD]} options=
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W '\(names(verbs)) --help --version' -- "$word"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(options.joined(separator: "\n"))
                esac
                case $word in
                -*) COMPREPLY=($(compgen -W "$options" -- "$word")); return ;;
                esac
                case ${COMP_WORDS[1]} in
                \(ofTasks.joined(separator: "|"))) COMPREPLY=($(compgen -W "$(\(tasks))" -- "$word")) ;;
                *) COMPREPLY=($(compgen -f -- "$word")) ;;
                esac
            }
            complete -o filenames -F _taskhost taskhost
            """
    }

    private static func zsh(_ verbs: [any Verb.Type]) -> String {
        // Within single quotes, in which a colon or a bracket would end a part.
        func plain(_ text: String) -> String {
            text.replacing("'", with: "").replacing(":", with: "\\:").replacing("[", with: "(").replacing(
                "]", with: ")")
        }
        let list = verbs.map { "        '\($0.name):\(plain($0.summary))'" }
        let cases = verbs.map { verb in
            let options = (verb.options + [.help]).map { option in
                let value = option.value.map { ":\(plain($0)):_files" } ?? ""
                return "'\(option.isRepeatable ? "*" : "")\(option.name)[\(plain(option.summary))]\(value)'"
            }
            let words =
                ofTasks.contains(verb.name) ? "'*:task:($(\(tasks.replacing("'", with: "'\\''"))))'" : "'*:word:_files'"
            return "    \(verb.name)) _arguments \((options + [words]).joined(separator: " ")) ;;"
        }
        return """
            #compdef taskhost
            # Completion of taskhost for zsh; made by: taskhost completion zsh
            _taskhost() {
                local -a verbs=(
            \(list.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe verb verbs
                    return
                fi
                local verb=$words[2]
                shift words
                (( CURRENT-- ))
                case $verb in
            \(cases.joined(separator: "\n"))
                esac
            }
            _taskhost "$@"
            """
    }

    private static func fish(_ verbs: [any Verb.Type]) -> String {
        func plain(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") }
        var lines = ["# Completion of taskhost for fish; made by: taskhost completion fish"]
        for verb in verbs {
            lines.append("complete -c taskhost -f -n __fish_use_subcommand -a \(verb.name) -d '\(plain(verb.summary))'")
            let condition = "-n '__fish_seen_subcommand_from \(verb.name)'"
            for option in verb.options + [.help] {
                let value = option.value == nil ? "" : " -r"
                lines.append(
                    "complete -c taskhost \(condition) -l \(option.name.dropFirst(2))\(value) -d '\(plain(option.summary))'"
                )
            }
            guard ofTasks.contains(verb.name) else { continue }
            lines.append("complete -c taskhost -f \(condition) -a '(\(plain(tasks)))'")
        }
        return lines.joined(separator: "\n")
    }
}
