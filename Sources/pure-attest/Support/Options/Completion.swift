enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }
}

extension Option {
    /// The help text on one line, without the final full stop.
    fileprivate var oneLine: String {
        let text = fullHelp.lines.joined(separator: " ")
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    fileprivate var names: [String] { [name] + (alias.map { [$0] } ?? []) }
}

// MARK: bash

extension Shell {
    // The script is compatible with bash 3.2 of macOS, so it does not use mapfile and compopt.
    private static var bashScript: String {
        let tool = PureAttestTool.self
        let names = (tool.allCommands.map { $0.name } + tool.ownOptions.map(\.name)).joined(separator: " ")
        let cases = tool.allCommands.map { command in
            let values = command.options.compactMap { option in
                option.value.map { "            \(option.names.joined(separator: "|"))) \(bashAction($0)) ;;\n" }
            }.joined()
            let operand = command.operands.last.map { bashAction($0.value) } ?? "words="
            let variants = command.variants.map { variant in
                "            \(variant.name)) options='\(bashOptions(command.allOptions(of: variant)))' ;;\n"
            }.joined()
            let choice = variants.isEmpty ? "" : "        case ${COMP_WORDS[2]} in\n\(variants)        esac\n"
            return """
                    \(command.name))
                        options='\(bashOptions(command.allOptions))'
                \(choice)\
                        case $previous in
                \(values)            *) \(operand); isOperand=1 ;;
                        esac
                        ;;

                """
        }.joined()
        return """
            # Completion of pure-attest for bash: source <(pure-attest completions bash)
            _pure_attest() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local words= options= kind= isOperand=
                COMPREPLY=()
                # bash takes "=" for a word of its own.
                if [[ $current == "=" ]]; then
                    current=
                elif [[ $previous == "=" && COMP_CWORD -gt 2 ]]; then
                    previous=${COMP_WORDS[COMP_CWORD-2]}
                fi
                if [[ COMP_CWORD -eq 1 ]]; then
                    COMPREPLY=($(compgen -W '\(names)' -- "$current"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases)    *) return ;;
                esac
                if [[ -n $isOperand && $current == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                elif [[ -n $words ]]; then
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                elif [[ ( $kind == bytes || $kind == object ) && $current == @* ]]; then
                    local IFS=$'\\n'
                    COMPREPLY=($(compgen -P @ -f -- "${current#@}"))
                elif [[ $kind == folder ]]; then
                    local IFS=$'\\n'
                    COMPREPLY=($(compgen -d -- "$current"))
                elif [[ $kind == file || $kind == object ]]; then
                    local IFS=$'\\n'
                    COMPREPLY=($(compgen -f -- "$current"))
                fi
            }
            complete -o filenames -F _pure_attest pure-attest

            """
    }

    private static func bashOptions(_ options: [Option]) -> String {
        options.map(\.name).joined(separator: " ")
    }

    private static func bashAction(_ value: Value) -> String {
        switch value.kind {
        case .words(let words): "words='\(words.joined(separator: " "))'"
        case .file, .fileOrFolder: "kind=file"
        case .newFolder: "kind=folder"
        case .bytes: "kind=bytes"
        case .object: "kind=object"
        case .number, .decimal, .time, .text: "kind=other"
        }
    }
}

// MARK: zsh

extension Shell {
    private static var zshScript: String {
        let tool = PureAttestTool.self
        let commands = tool.allCommands.map { "        \(shellQuoted("\($0.name):\($0.summary)"))\n" }.joined()
        let own = tool.ownOptions.map { " \(shellQuoted("\($0.name)[\(zshEscaped($0.oneLine))]"))" }.joined()
        let cases = tool.allCommands.map { command in
            let operands = command.operands.enumerated().map { index, operand in
                let place = operand.isRepeatable ? "*" : "\(index + 1)"
                return
                    " \\\n                \(shellQuoted("\(place):\(zshEscaped(operand.value.name)):\(zshAction(operand.value))"))"
            }.joined()
            func arguments(_ options: [Option]) -> String { "_arguments\(zshOptions(options))\(operands)" }
            guard !command.variants.isEmpty else {
                return "            \(command.name)) \(arguments(command.allOptions)) ;;\n"
            }
            let variants = command.variants.map { variant in
                "                \(variant.name)) \(arguments(command.allOptions(of: variant))) ;;\n"
            }.joined()
            return """
                            \(command.name))
                                case $words[2] in
                \(variants)                *) \(arguments(command.allOptions)) ;;
                                esac
                                ;;

                """
        }.joined()
        return """
            #compdef pure-attest
            # Completion of pure-attest for zsh: a file _pure_attest in a folder of $fpath, or source <(pure-attest completions zsh)
            _pure_attest() {
                local curcontext="$curcontext" state line
                local -a commands
                commands=(
            \(commands)    )
                _arguments -C\(own) '1: :->command' '*:: :->argument'
                case $state in
                command) _describe -t commands command commands ;;
                argument)
                    case $line[1] in
            \(cases)        esac
                    ;;
                esac
            }
            compdef _pure_attest pure-attest

            """
    }

    private static func zshOptions(_ options: [Option]) -> String {
        options.flatMap { option in
            option.names.map { name in
                let isRepeatable = option.isRepeatable ? "*" : ""
                let end = option.value.map { "=:\(zshEscaped($0.name)):\(zshAction($0))" } ?? ""
                let mark = option.value == nil ? "" : "="
                let text = "\(isRepeatable)\(name)\(mark)[\(zshEscaped(option.oneLine))]\(end.dropFirst())"
                return " \\\n                \(shellQuoted(text))"
            }
        }.joined()
    }

    private static func zshAction(_ value: Value) -> String {
        switch value.kind {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .file, .fileOrFolder: "_files"
        case .newFolder: "_files -/"
        case .bytes, .object: "{compset -P @; _files}"
        case .number, .decimal, .time, .text: " "
        }
    }

    /// Escapes the characters that have a meaning in the specifications of zsh's `_arguments`.
    private static func zshEscaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}

// MARK: fish

extension Shell {
    private static var fishScript: String {
        let tool = PureAttestTool.self
        var lines = [
            "# Completion of pure-attest for fish: pure-attest completions fish > ~/.config/fish/completions/pure-attest.fish",
            "complete -c pure-attest -f",
        ]
        for command in tool.allCommands {
            lines.append(
                "complete -c pure-attest -n __fish_use_subcommand -a \(command.name) -d \(fishQuoted(command.summary))")
        }
        for option in tool.ownOptions {
            lines.append(
                "complete -c pure-attest -n __fish_use_subcommand -l \(option.name.dropFirst(2)) -d \(fishQuoted(option.oneLine))"
            )
        }
        for command in tool.allCommands {
            let seen = "__fish_seen_subcommand_from"
            let start = "complete -c pure-attest -n '\(seen) \(command.name)'"
            for operand in command.operands { lines.append("\(start)\(fishAction(operand.value, isOperand: true))") }
            for option in command.allOptions {
                for name in option.names {
                    let action = option.value.map { fishAction($0, isOperand: false) } ?? ""
                    let variants = option.variants.joined(separator: " ")
                    let start =
                        variants.isEmpty
                        ? start : "complete -c pure-attest -n '\(seen) \(command.name); and \(seen) \(variants)'"
                    lines.append("\(start) -l \(name.dropFirst(2))\(action) -d \(fishQuoted(option.oneLine))")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishAction(_ value: Value, isOperand: Bool) -> String {
        let requires = isOperand ? "" : " -r"
        let requiresNoFile = isOperand ? "" : " -x"
        return switch value.kind {
        case .words(let words): "\(requiresNoFile) -a \(fishQuoted(words.joined(separator: " ")))"
        case .file, .fileOrFolder, .newFolder, .object: "\(requires) -F"
        case .bytes:
            "\(requiresNoFile) -a '(__fish_complete_path (string replace -r \"^@\" \"\" -- (commandline -ct)) | string replace -r \"^\" @)'"
        case .number, .decimal, .time, .text: requiresNoFile
        }
    }

    private static func fishQuoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#))'"
    }
}
