/** A turn that is one process: it prints lines of JSON, and ends. */
import type { JsonValue } from '@donecheck/core/events'
import { settlesWithin, type StartRequest } from '@donecheck/engine/process'
import type { AgentSignal, AgentTurn, TurnEnded } from './agent-signal.ts'
import type { JsonLine } from './json-line.ts'
import { startJsonLines, type JsonLinesProcess, type LinesEnd } from './json-lines.ts'

/** The pure part: what the lines of one turn mean. Made anew for every turn. */
export interface LineTranslator {
  line(value: JsonValue): Iterable<AgentSignal>
  /** What a line on stderr means, of agents that tell there alone that they ask their provider again. */
  readonly stderrLine?: (line: string) => AgentSignal | undefined
  /** Nothing more is expected; a program that stays all the same is ended. */
  readonly isOver: boolean
  /** @param noise lines that were no JSON */
  end(end: LinesEnd, noise: Noise): TurnEnded | Extract<AgentSignal, { kind: 'session-lost' }>
}

export interface Noise {
  readonly lines: number
  /** The beginnings of the last ones. */
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

/** After its last line. A program that stays all the same is ended. */
export async function waitForEnd(program: JsonLinesProcess): Promise<LinesEnd> {
  if (!(await settlesWithin(program.ended, leaveMs))) await program.end()
  return program.ended
}
