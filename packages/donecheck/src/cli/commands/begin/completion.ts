/** `donecheck completion SHELL`: a script for the shell; `suggest` is what that script asks. */
import type { Command } from 'commander'
import { hookedAgentNames } from '@donecheck/agents/registry'
import { nearest, oneLine } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import { listedModels } from '@donecheck/engine/models'
import { existsSync } from 'node:fs'
import { knownDrives, presetNames } from '../../agents/survey.ts'
import { completionsOf, type Completion } from '../../help/completions.ts'
import type { CliIo } from '../../process/io.ts'
import { withStore, settingsWithoutFile } from '../../settings/settings.ts'
import { isDatabase, storeFolderOf } from '../../settings/store-folder.ts'

/** What a shell needs to ask for completions: a few lines, the same for every version. */
const completionScripts = {
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

/** @throws {UsageError} for another shell */
export async function completionCommand(
  shell: string,
  words: readonly string[],
  program: Command,
  io: CliIo,
): Promise<number> {
  if (shell === 'suggest') {
    const found = await completionsOf(program, words, async (what) => lookUp(what, io))
    for (const { value, help } of found) io.stdout.write(`${value}\t${oneLine(help, 80)}\n`)
    return 0
  }
  const script = Object.entries(completionScripts).find(([name]) => name === shell)?.[1]
  if (script === undefined) throw new UsageError(unknownShell(shell))
  io.stdout.write(script)
  return 0
}

function unknownShell(shell: string): string {
  const names = Object.keys(completionScripts)
  const near = nearest(shell, names)
  return `there is no completion for "${shell}"; ${near === undefined ? `there is one for ${names.join(', ')}` : `did you mean ${near}?`}`
}

/** By the name of an argument, or of an option. */
async function lookUp(what: string, io: CliIo): Promise<readonly Completion[]> {
  switch (what) {
    case 'run':
      return [{ value: 'last', help: 'the latest' }, ...(await recordedRuns(io))]
    case 'preset':
      return presetNames.map(plainly)
    case 'agent':
      return [...new Set([...knownDrives, ...hookedAgentNames])].map(plainly)
    case 'model':
      return listedModels.map(plainly)
    case 'shell':
      return Object.keys(completionScripts).map(plainly)
    default:
      return []
  }
}

function plainly(value: string): Completion {
  return { value, help: '' }
}

const maxRuns = 20

/** Whoever presses Tab begins no record, and waits for no database. */
async function recordedRuns(io: CliIo): Promise<readonly Completion[]> {
  const { config, workFolder } = settingsWithoutFile({}, io)
  if (isDatabase(config.store) || !existsSync(storeFolderOf(config.store, workFolder, io))) return []
  return withStore({}, io, async (store) => {
    const runs = await store.list()
    return runs.slice(0, maxRuns).map(({ runId, outcome = 'not ended', task }) => ({
      value: runId,
      help: `${outcome}: ${task}`,
    }))
  })
}
