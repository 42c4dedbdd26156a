import type { JsonValue } from '@donecheck/core/events'
import { settlesWithin, type StartRequest, inheritedEnvironment } from '@donecheck/engine/process'
import type { AgentSignal, AgentTurn, TurnEnded, TurnStart } from './agent-signal.ts'
import { type JsonLine, startJsonLines, type JsonLinesProcess, type LinesEnd } from './json-lines.ts'
import { UsageError, assertKnownKeys, optionKeys } from '@donecheck/engine/base'
import type { Drive } from '@donecheck/engine/ports/loop'
import { type StreamedDriveOptions, streamedDrive } from './streamed-drive.ts'

export interface LineTranslator {
  line(value: JsonValue): Iterable<AgentSignal>
  /** What a line on stderr means, of agents that tell there alone that they ask their provider again. */
  readonly stderrLine?: (line: string) => AgentSignal | undefined
  readonly isOver: boolean
  /** @param noise lines that were not JSON */
  end(end: LinesEnd, noise: Noise): TurnEnded | Extract<AgentSignal, { kind: 'session-lost' }>
}

export interface Noise {
  readonly lines: number
  readonly last: readonly string[]
}

/** Time that a program has to end by itself after it has said all. */
const leaveMs = 2000
const keptNoise = 5

/** @param first what is known before the program says anything */
export function programTurn(
  request: StartRequest,
  translator: LineTranslator,
  first: readonly AgentSignal[] = [],
): AgentTurn {
  const program = startJsonLines(request)
  return { signals: translateSignals(program, translator, first), end: () => program.end() }
}

async function* translateSignals(
  program: JsonLinesProcess,
  translator: LineTranslator,
  first: readonly AgentSignal[],
): AsyncGenerator<AgentSignal> {
  yield* first
  const last: string[] = []
  let lines = 0
  let leaving: NodeJS.Timeout | undefined
  for await (const line of withStderr(program, translator)) {
    if (line.kind === 'signal') yield line.signal
    else if (line.kind === 'value') yield* translator.line(line.value)
    else {
      lines += 1
      if (last.push(line.text) > keptNoise) last.shift()
    }
    if (translator.isOver) leaving ??= setTimeout(() => void program.end(), leaveMs)
    else {
      clearTimeout(leaving)
      leaving = undefined
    }
  }
  clearTimeout(leaving)
  yield translator.end(await waitForEnd(program), { lines, last })
}

type StreamItem = JsonLine | { readonly kind: 'signal'; readonly signal: AgentSignal }

/** Yields the lines of stdout, and between them what stderr reports, as soon as it is there. */
async function* withStderr(
  program: JsonLinesProcess,
  { stderrLine }: LineTranslator,
): AsyncGenerator<StreamItem> {
  if (stderrLine === undefined) {
    yield* program.lines
    return
  }
  const pending: StreamItem[] = []
  let wake: () => void = () => undefined
  program.onStderr((text) => {
    const signal = stderrLine(text)
    if (signal === undefined) return
    pending.push({ kind: 'signal', signal })
    wake()
  })
  const lines = program.lines[Symbol.asyncIterator]()
  let next = lines.next()
  for (;;) {
    const woken = new Promise<undefined>((resolve) => {
      wake = () => resolve(undefined)
    })
    yield* pending.splice(0)
    const read = await Promise.race([next, woken])
    if (read === undefined) continue
    if (read.done === true) break
    yield read.value
    next = lines.next()
  }
  yield* pending.splice(0)
}

export async function waitForEnd(program: JsonLinesProcess): Promise<LinesEnd> {
  if (!(await settlesWithin(program.ended, leaveMs))) await program.end()
  return program.ended
}

export interface CliDriveOptions {
  readonly folder: string
  /** All of the agent's environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** Further words of its command line, such as `-m`, `some-model`: they win over ours. */
  readonly words?: readonly string[]
  /** Of one turn. Null: no bound; some agents ask a model that does not answer again and again. */
  readonly timeoutMs: number | null
  /** Command lines of the run's own checks: an agent that decides by itself is told to run them without a question. */
  readonly ownChecks?: readonly string[]
}

export const cliDriveKeys = optionKeys<CliDriveOptions>()('folder! environment words timeoutMs! ownChecks')

interface CliAgent {
  readonly program: string
  readonly description: Omit<StreamedDriveOptions['description'], 'name' | 'reportsUsage' | 'prices'>
  /** Words that would take the turn out of our hands, each with what would be wrong with it. */
  readonly refused: Readonly<Record<string, string>>
  /** All arguments of the program. @param words the user's own */
  wordsOf(
    session: string | undefined,
    words: readonly string[],
    options: Pick<CliDriveOptions, 'folder' | 'ownChecks'>,
  ): readonly string[]
  /** What stands on its standard input. Default: the prompt. */
  inputOf?(start: TurnStart): string
  translator(): LineTranslator
  /** Puts the signals of a turn into the order that all agents have: a step behind the calls of each reply. */
  inOrder(
    signals: AsyncIterable<AgentSignal>,
    environment: Readonly<Record<string, string>>,
  ): AsyncIterable<AgentSignal>
}

/** The returned function throws a `UsageError` for words that would take the turn out of our hands, and for an unusable time limit. */
export function cliDrive(agent: CliAgent): (options: CliDriveOptions) => Drive {
  const { program, description, refused } = agent
  return (options) => {
    assertKnownKeys(options, cliDriveKeys, `${program}Drive`)
    const { words = [], timeoutMs } = options
    for (const word of words) {
      const why = refused[flagOf(word)]
      if (why !== undefined) throw new UsageError(`${program} cannot be given ${word}: ${why}; leave it out`)
    }
    return streamedDrive({
      description: {
        name: [program, ...words].join(' '),
        ...{ reportsUsage: true, prices: null, ...description },
      },
      tellsSteps: true,
      timeoutMs,
      startTurn: (start) => startTurn(agent, start, options),
    })
  }
}

function startTurn(
  agent: CliAgent,
  start: TurnStart,
  { folder, words = [], ...more }: CliDriveOptions,
): AgentTurn {
  // Some believe this variable more than the folder that they are started in.
  const environment = { ...(more.environment ?? inheritedEnvironment()), PWD: folder }
  const turn = programTurn(
    {
      command: { words: [agent.program, ...agent.wordsOf(start.session, words, { folder, ...more })] },
      ...{ folder, environment },
      // As an argument it would be cut off, or put into quotes that the model sees.
      stdin: agent.inputOf?.(start) ?? start.prompt,
    },
    agent.translator(),
  )
  return { ...turn, signals: agent.inOrder(turn.signals, environment) }
}

function flagOf(word: string): string {
  return word.split('=', 1)[0] ?? word
}

/** For agents that do not tell when a reply of their model is over: what belongs to it comes in one go. */
const silenceMs = 150

export async function* withSilences(
  signals: AsyncIterable<AgentSignal>,
): AsyncGenerator<AgentSignal | { readonly kind: 'silence' }> {
  const iterator = signals[Symbol.asyncIterator]()
  for (;;) {
    const next = iterator.next()
    if (!(await settlesWithin(next, silenceMs))) yield { kind: 'silence' }
    const read = await next
    if (read.done === true) return
    yield read.value
  }
}
