import { describe, expect, it } from 'vitest'
import type { Fact } from '@donecheck/core/internal/events'
import { modelCalled, modelReplied, toolCall } from '@donecheck/core/internal/testing/facts'
import { stamp } from '@donecheck/core/testing'
import { traceLines } from './timeline.ts'

type HookFact = Extract<Fact, { type: 'hook-ran' }>
type Timed = HookFact & { readonly durationMs: number }
type GateFact = Extract<Fact, { type: 'gate-decided' }>

function hookRan(details: Partial<Timed> = {}): Timed {
  const fact = { type: 'hook-ran', hook: 'log', point: 'before_tool_call', order: 1, effect: 'none' } as const
  return { ...fact, durationMs: 0.3121, ...details }
}

function gateDecided(details: Partial<GateFact> = {}): GateFact {
  return {
    type: 'gate-decided',
    callId: 'call-1',
    decision: 'forbidden',
    reason: 'it removes everything',
    matches: [],
    ...details,
  }
}

function texts(...facts: Parameters<typeof stamp>[0]): readonly string[] {
  return traceLines(stamp(facts)).map(({ text }) => text)
}

const call = { callId: 'call-1' }
const asked = [modelCalled(2), modelReplied({ toolCalls: [toolCall('call-1', 'run_shell')] })] as const

describe('given what hooks and the gate did on a call', () => {
  it('all of it stands under the call, in order, with effect, time and note', () => {
    const note = 'no removal'
    expect(
      texts(
        ...asked,
        hookRan(call),
        hookRan({ ...call, hook: 'no-rm', order: 2, effect: 'denied', note }),
        hookRan({ ...call, hook: 'late', order: 3, effect: 'skipped', note: 'an earlier hook has refused' }),
        gateDecided({
          label: 'dangerous_command',
          shadow: 'allow',
          matches: [
            {
              rule: 'built-in: recursive removal',
              decision: 'forbidden',
              source: 'built-in',
              words: ['rm', '-rf', '/'],
              span: [3, 11],
              justification: 'it cannot be had back',
            },
          ],
        }),
        hookRan({ ...call, point: 'tool_result_persist', effect: 'rewrote', note: '9 → 3 characters' }),
      ),
    ).toEqual([
      'turn 2 · run_shell (call-1)',
      '  before_tool_call 1. log: none · 0.312 ms',
      '  before_tool_call 2. no-rm: denied · 0.312 ms · no removal',
      '  before_tool_call 3. late: skipped · an earlier hook has refused',
      '  gate: forbidden (dangerous_command) · it removes everything · only watched: would be allow',
      '    built-in: recursive removal: forbidden · rm -rf / · at 3–11 · built-in · it cannot be had back',
      '  tool_result_persist 1. log: rewrote · 0.312 ms · 9 → 3 characters',
    ])
  })
})

describe('given a call that nothing spoke against', () => {
  it('one that was refused before the gate was asked says by what', () => {
    const refused = { type: 'tool-refused', callId: 'call-1', by: 'schema', reason: 'no such tool' } as const
    expect(texts(...asked, refused).at(-1)).toBe('  schema: refused · no such tool')
  })
})

describe('given texts that come from outside', () => {
  it('they cannot move the cursor or break the line', () => {
    const note = 'fine\n\u001b[2Kturn 9 · all is well'
    const lines = traceLines(stamp([hookRan({ hook: 'a\nb', note }), gateDecided({ reason: note })]))
    for (const { text } of lines)
      expect([text.includes('\n'), text.includes('\u001b')]).toEqual([false, false])
  })
})
