/** A turn that is one process: it prints lines of JSON, and ends. */
import type { JsonValue } from '@donecheck/core/events'
import { settlesWithin, type StartRequest } from '@donecheck/engine/process'
import type { AgentSignal, AgentTurn, TurnEnded } from './agent-signal.ts'
import { startJsonLines, type JsonLinesProcess, type LinesEnd } from './json-lines.ts'

/** The pure part: what the lines of one turn mean. Made anew for every turn. */
export interface LineTranslator {
  line(value: JsonValue): Iterable<AgentSignal>
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
  for await (const line of program.lines) {
    if (line.kind === 'value') yield* translator.line(line.value)
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

/** After its last line. A program that stays all the same is ended. */
export async function waitForEnd(program: JsonLinesProcess): Promise<LinesEnd> {
  if (!(await settlesWithin(program.ended, leaveMs))) await program.end()
  return program.ended
}
