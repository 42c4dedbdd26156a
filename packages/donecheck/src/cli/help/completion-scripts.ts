/** What a shell needs to ask for completions: a few lines, the same for every version. */
export const completionScripts = {
  bash: `# To use it: source <(donecheck completion bash)
_donecheck() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(donecheck completion suggest -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [ "\${#COMPREPLY[@]}" -gt 0 ] || compopt -o default 2>/dev/null
}
complete -F _donecheck donecheck
`,
  zsh: `#compdef donecheck
# To use it: source <(donecheck completion zsh), after compinit; or as a file _donecheck on fpath.
_donecheck() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(donecheck completion suggest -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe donecheck found; else _files; fi
}
if [[ "\${funcstack[1]}" == _donecheck ]]; then _donecheck "$@"; else compdef _donecheck donecheck; fi
`,
  fish: `# To use it: donecheck completion fish | source
function __donecheck_suggest
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    set -l found (donecheck completion suggest -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c donecheck -f -a '(__donecheck_suggest)'
`,
} as const

export type ShellName = keyof typeof completionScripts
