import {
  cliDrive,
  withSilences,
  type AgentSignal,
  type CliDriveOptions,
  configurationFailure,
  failedTurn,
  limitedFailure,
  networkFailure,
  notBegun,
  notStarted,
  providerFailure,
  withoutColours,
  type LineTranslator,
  type LinesEnd,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import type { Drive } from '@donecheck/engine/ports/loop'
import {
  effectByName,
  isTrueIn,
  jsonValueOf,
  numberIn,
  payloadOf,
  textIn,
  type Payload,
} from '../../protocol/hooks/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

export type OpencodeDriveOptions = CliDriveOptions

const session = 'the session is chosen here'
const talk = 'nobody is there to talk to it'

const opencode = cliDrive({
  program: 'opencode',
  description: { reportsCost: true, maxOutputTokens: 32_000, contextWindowTokens: 200_000 },
  refused: {
    ...{ '--session': session, '-s': session, '--continue': session, '-c': session, '--fork': session },
    ...{ '--interactive': talk, '-i': talk },
    '--format': 'the form of the output is chosen here',
    '--attach': 'a turn in another server cannot be ended from here',
  },
  wordsOf: (known, words) => [
    ...['run', '--format', 'json'],
    // Only there it tells that its provider refuses it: it asks again without an end.
    ...['--print-logs', '--log-level', 'ERROR'],
    ...(known === undefined ? [] : ['--session', known]),
    ...words,
  ],
  translator: opencodeTranslator,
  inOrder: endsAfterStep,
})

/**
 * What it asks for it is refused, as nobody is there: what it may do without asking stands in its own configuration, and the word
 * `--auto` allows all the rest.
 * @throws {UsageError} for words that would take the turn out of our hands
 */
export function opencodeDrive(options: OpencodeDriveOptions): Drive {
  return opencode(options)
}

/**
 * opencode tells of a call when it is over, and of a reply of its model when all of its calls are: the ends of calls are kept until
 * then, so that the calls of one reply stay together. A call that is at work for long does not keep the others.
 */
export async function* endsAfterStep(signals: AsyncIterable<AgentSignal>): AsyncGenerator<AgentSignal> {
  const kept: AgentSignal[] = []
  for await (const signal of withSilences(signals)) {
    if (signal.kind === 'call-ended') {
      kept.push(signal)
      continue
    }
    if (signal.kind === 'silence' || signal.kind === 'turn-ended') yield* kept.splice(0)
    if (signal.kind !== 'silence') yield signal
    if (signal.kind === 'step') yield* kept.splice(0)
  }
}

const effectOf = effectByName(
  [
    ...['read', 'glob', 'grep', 'list', 'webfetch', 'websearch', 'codesearch', 'todowrite', 'todoread'],
    ...['skill', 'lsp', 'question'],
    'invalid',
  ],
  ['edit', 'write', 'multiedit', 'patch', 'apply_patch'],
)

export function opencodeTranslator(): LineTranslator {
  let hasBegun = false
  let finish: string | undefined
  let error: OpencodeError | undefined
  return {
    *line(value) {
      const line = payloadOf(value)
      if (line === undefined) return
      const id = textIn(line, 'sessionID')
      if (id !== undefined && id !== '') {
        hasBegun = true
        yield { kind: 'session', id }
      }
      const type = textIn(line, 'type')
      const part = payloadOf(line['part']) ?? {}
      // It went on all the same: that error was not the end.
      if (type === 'step_start') [finish, error] = [undefined, undefined]
      if (type === 'step_finish') finish = textIn(part, 'reason')
      if (type === 'error') error = errorOf(payloadOf(line['error']) ?? {})
      yield* signalsOf(type, part)
    },
    isOver: false,
    stderrLine: retryOf,
    end: (end) => endOfTurn(withoutLog(end), { hasBegun, finish, error }),
  }
}

function signalsOf(type: string | undefined, part: Payload): readonly AgentSignal[] {
  switch (type) {
    case 'text': {
      const piece = textIn(part, 'text')
      return piece === undefined || isTrueIn(part, 'synthetic') ? [] : [{ kind: 'text', piece }]
    }
    case 'tool_use':
      return callOf(part)
    case 'step_finish':
      return [stepOf(part)]
    default:
      return []
  }
}

function callOf(part: Payload): readonly AgentSignal[] {
  const state = payloadOf(part['state']) ?? {}
  const callId = textIn(part, 'callID') ?? ''
  const tool = textIn(part, 'tool') ?? ''
  const status = textIn(state, 'status') === 'completed' ? 'ok' : 'error'
  const output = textIn(state, 'output') ?? textIn(state, 'error') ?? ''
  return [
    { kind: 'call', callId, tool, args: jsonValueOf(state['input'] ?? {}), effect: effectOf(tool) },
    { kind: 'call-ended', callId, status, output },
  ]
}

function stepOf(part: Payload): AgentSignal {
  const costUsd = numberIn(part, 'cost')
  return {
    kind: 'step',
    usage: usageOf(payloadOf(part['tokens']) ?? {}),
    ...given({ costUsd }),
  }
}

/** Its input is what did not come from the cache, and its output is without thoughts. */
function usageOf(tokens: Payload): TokenUsage {
  const cache = payloadOf(tokens['cache']) ?? {}
  const count = (payload: Payload, name: string) => Math.max(0, numberIn(payload, name) ?? 0)
  const cachedInputTokens = count(cache, 'read')
  const reasoningTokens = count(tokens, 'reasoning')
  return {
    inputTokens: count(tokens, 'input') + cachedInputTokens + count(cache, 'write'),
    outputTokens: count(tokens, 'output') + reasoningTokens,
    cachedInputTokens,
    reasoningTokens,
    estimated: false,
  }
}

function errorOf(error: Payload): OpencodeError {
  const data = payloadOf(error['data']) ?? {}
  const name = textIn(error, 'name') ?? 'an error'
  const status = numberIn(data, 'statusCode')
  return { name, message: textIn(data, 'message') ?? name, ...given({ status }) }
}

interface OpencodeError {
  readonly name: string
  readonly message: string
  readonly status?: number
}

interface OpencodeTurn {
  readonly hasBegun: boolean
  readonly finish: string | undefined
  readonly error: OpencodeError | undefined
}

type End = ReturnType<LineTranslator['end']>

/**
 * @param hasBegun it has told of its session: its program, its words and its settings work
 * @param finish why the last step ended; undefined: none did
 * @param error the last one, unless it went on afterwards
 */
function endOfTurn(end: LinesEnd, { hasBegun, finish, error }: OpencodeTurn): End {
  const missing = notStarted('opencode', end)
  if (missing !== undefined) return missing
  if (/session not found/i.test(end.stderrTail) && finish === undefined)
    return { kind: 'session-lost', message: 'opencode does not know the session any more' }
  if (error !== undefined) return withError(error)
  const { exitCode } = end
  const unborn = notBegun('opencode', end, hasBegun)
  if (unborn !== undefined) return failedTurn(unborn)
  if (exitCode !== 0) return problem(`opencode did not finish its turn: ${end.problem}`)
  switch (finish) {
    case 'stop':
      return { kind: 'turn-ended', text: '' }
    case 'length':
      return { kind: 'turn-ended', text: '', wasCutOff: true }
    case undefined:
      return problem(`opencode ended without a word of its model${saidOnStderr(end)}`)
    case 'tool-calls':
      return problem(`opencode ended its turn after a call, without an answer${saidOnStderr(end)}`)
    default:
      return problem(`the model's last reply ended with "${finish}"${saidOnStderr(end)}`)
  }
}

/** Where nobody can be asked, it refuses what it should ask for, and ends: only stderr tells. */
function saidOnStderr({ stderrTail }: LinesEnd): string {
  const said = withoutColours(stderrTail).trim()
  return said === '' ? '' : `; it said: ${said.slice(-2000).toWellFormed()}`
}

function withError({ name, message, status }: OpencodeError): TurnEnded {
  const said = `opencode ended its turn with ${name}: ${message}`
  if (status !== undefined && status >= 400) return failedTurn(providerFailure(status, said))
  if (name === 'ProviderAuthError')
    return failedTurn(configurationFailure(`${said}. Log in with: opencode auth login`))
  if (noConnection.test(message)) return failedTurn(networkFailure(said))
  if (name === 'ProviderModelNotFoundError') return failedTurn(providerFailure(404, said))
  return problem(said)
}

const noConnection = /cannot connect|unable to connect|fetch failed|ECONNREFUSED|ENOTFOUND/i

/** What it logs of its provider, which it asks again without an end and tells nobody. */
const streamError = /^timestamp=.*message="stream error".*small=false.*error\.error="((?:[^"\\]|\\.)*)"/

function retryOf(line: string): AgentSignal | undefined {
  const said = streamError.exec(line)?.[1]?.replaceAll('\\"', '"')
  if (said === undefined) return undefined
  const text = `the provider of opencode refused: ${said}`
  if (noConnection.test(said))
    return { kind: 'retrying', failure: networkFailure(`${text}. Is its address right (opencode.json)?`) }
  const status = Number(/\b(?:status(?: ?code)?:? |\()([45]\d\d)\b/i.exec(said)?.[1] ?? 0)
  if (status >= 400) return { kind: 'retrying', failure: providerFailure(status, text) }
  const isLimit = /rate.?limit|too many requests|quota|usage limit/i.test(said)
  return { kind: 'retrying', failure: isLimit ? limitedFailure(text) : providerFailure(500, text) }
}

function withoutLog(end: LinesEnd): LinesEnd {
  return { ...end, stderrTail: end.stderrTail.replaceAll(/^timestamp=.*\n?/gm, '') }
}

function problem(said: string): TurnEnded {
  return { kind: 'turn-ended', text: '', problem: said }
}
