import type { JsonValue } from '@donecheck/core/events'
import { settlesWithin, type StartRequest } from '@donecheck/engine/process'
import type { AgentSignal, AgentTurn, TurnEnded } from './agent-signal.ts'
import { startJsonLines, type JsonLinesProcess, type LinesEnd } from './json-lines.ts'
import { optionKeys } from '@donecheck/engine/base'

export interface LineTranslator {
  line(value: JsonValue): Iterable<AgentSignal>
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
}

export const cliDriveKeys = optionKeys<CliDriveOptions>()('folder! environment words timeoutMs!')
