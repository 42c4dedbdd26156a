import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/events'
import type { AgentSignal } from './agent-signal.ts'
import type { LinesEnd } from './json-lines.ts'
import { programTurn, type LineTranslator, type Noise } from './program-turn.ts'

/** Every text is a piece; `over` is the last line. */
class Plain implements LineTranslator {
  #last: JsonValue = null

  get isOver(): boolean {
    return this.#last === 'over'
  }

  *line(value: JsonValue): Generator<AgentSignal> {
    this.#last = value
    if (typeof value === 'string') yield { kind: 'text', piece: value }
  }

  end({ problem }: LinesEnd, { lines, last }: Noise): AgentSignal & { kind: 'turn-ended' } {
    return { kind: 'turn-ended', text: '', problem: `${problem}; ${lines} lines of noise: ${last.join(',')}` }
  }
}

async function signalsOf(script: string): Promise<readonly AgentSignal[]> {
  const request = {
    command: { shell: script },
    folder: tmpdir(),
    environment: { PATH: process.env['PATH'] ?? '' },
  }
  const turn = programTurn(request, new Plain(), [{ kind: 'session', id: 's' }])
  const signals: AgentSignal[] = []
  for await (const signal of turn.signals) signals.push(signal)
  await turn.end()
  return signals
}

function problemOf(signals: readonly AgentSignal[]): string | undefined {
  const last = signals.at(-1)
  return last?.kind === 'turn-ended' ? last.problem : undefined
}

describe('given a turn that is one process', () => {
  it('tells what is known, what its lines mean, and its end', async () => {
    const signals = await signalsOf(`echo '"a"'; for i in 1 2 3 4 5 6 7; do echo n$i; done; exit 4`)
    expect(signals).toMatchObject([{ kind: 'session' }, { kind: 'text', piece: 'a' }, { kind: 'turn-ended' }])
    expect(problemOf(signals)).toBe('it ended with exit code 4; 7 lines of noise: n3,n4,n5,n6,n7')
  })

  it('ends a process that stays after it has said all', async () => {
    const signals = await signalsOf(`echo '"over"'; exec sleep 1000`)
    expect(problemOf(signals)).toContain('it was killed by SIGTERM')
  })
})
