import { acpProgramAgent, type AcpProgram } from '../../protocol/acp/index.ts'
import { failureInText, providerFailure } from '../../protocol/stream/index.ts'
import { UsageError } from '@donecheck/engine/internal/base'

/** The gate decides what opencode's configuration asks about. */
export const opencodeAgent = acpProgramAgent({
  // It retries refused requests forever, and reports that only in its log.
  starts: ['opencode', 'acp', '--print-logs', '--log-level', 'ERROR'],
  maxOutputTokens: 32_000,
  contextWindowTokens: 200_000,
  startWith: startOf,
  readStderr: retryOf,
})

const elsewhere: Readonly<Record<string, string>> = {
  '--auto': 'what opencode asks for is decided by the gate',
  '--agent': 'set "default_agent" in opencode.json',
}

function startOf(words: readonly string[]): ReturnType<NonNullable<AcpProgram['startWith']>> {
  const rest: string[] = []
  let model: string | undefined
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const [flag = '', value] = word.split('=', 2)
    const why = elsewhere[flag]
    if (why !== undefined) throw new UsageError(`opencode cannot be given ${flag}: ${why}; leave it out`)
    if (flag !== '-m' && flag !== '--model') rest.push(word)
    else {
      if (value === undefined) index += 1
      model = value ?? words[index]
      if (model === undefined)
        throw new UsageError(`opencode ${flag} has no model: write ${flag} PROVIDER/MODEL`)
    }
  }
  const environment = model === undefined ? {} : { OPENCODE_CONFIG_CONTENT: JSON.stringify({ model }) }
  return { words: rest, environment }
}

const streamError = /^timestamp=.*message="stream error".*small=false.*error\.error="((?:[^"\\]|\\.)*)"/

function retryOf(line: string): ReturnType<NonNullable<AcpProgram['readStderr']>> {
  const cause = streamError.exec(line)?.[1]?.replaceAll('\\"', '"')
  if (cause === undefined) return undefined
  const text = `the provider of opencode refused: ${cause}`
  const status = /\b(?:status(?: ?code)?:? |\()([45]\d\d)\b/i.exec(cause)?.[1]
  const failure = failureInText(text, status === undefined ? undefined : Number(status))
  return { kind: 'retrying', failure: failure ?? providerFailure(500, text) }
}
