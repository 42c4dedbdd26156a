import { describe, expect, it } from 'vitest'
import type { AgentSignal } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  interactiveTurn,
  callIn,
  callSignal,
  endSignal,
  folder,
  hookLine,
  permissionLine,
  ranLine,
  stepSignal,
} from '../fixtures/asked.ts'

const yes = (args: JsonValue) => ({ allowed: true as const, args })
const no = { allowed: false as const, reason: 'a rule forbids it' }
const kinds = (signals: readonly AgentSignal[]) => signals.map(({ kind }) => kind)

function failureIn(signals: readonly AgentSignal[]) {
  return signals.flatMap((signal) => (signal.kind === 'turn-ended' ? (signal.failure ?? []) : []))
}

/** A call that was asked for, and passed. */
async function passed(tool: string, args: JsonValue) {
  const turn = interactiveTurn()
  await callIn(await turn.asked(hookLine('a', tool, args))).answer?.(yes(args))
  return turn
}

describe('given a call that has run', () => {
  it.each<readonly [string, string, JsonValue, JsonValue]>([
    ['as it was asked for', 'Bash', { command: 'ls' }, { command: 'ls' }],
    [
      'with its words in another order',
      'mcp__a__b',
      { one: 1, two: { x: [1] } },
      { two: { x: [1] }, one: 1 },
    ],
    [
      'with its path in full',
      'Write',
      { file_path: 'a.txt', content: 'x' },
      { file_path: `${folder}/a.txt`, content: 'x' },
    ],
  ])('%s, lets it go on', async (_, tool, args, ran) => {
    const turn = await passed(tool, args)
    expect(await turn.asked(ranLine('a', tool, ran))).toEqual([])
    expect(turn.answers().at(-1)).toEqual(['ran-a', {}])
  })

  it('as another hook has changed it before our user was asked for it, lets it go on', async () => {
    const turn = await passed('Bash', { command: 'ls' })
    await callIn(await turn.asked(permissionLine('a', 'Bash', { command: 'rtk ls' }))).answer?.(
      yes({ command: 'rtk ls' }),
    )
    expect(await turn.asked(ranLine('a', 'Bash', { command: 'rtk ls' }))).toEqual([])
  })

  it.each<readonly [string, string, JsonValue, JsonValue]>([
    ['with another command', 'Bash', { command: 'echo hi' }, { command: 'touch forbidden.txt' }],
    ['with another file', 'Read', { file_path: 'a.txt' }, { file_path: '/etc/shadow' }],
    ['with other words for a server', 'mcp__a__b', { one: 1 }, { one: 2 }],
  ])('%s, puts that on the record, and ends the turn', async (_, tool, args, ran) => {
    const turn = await passed(tool, args)
    const answered = turn.answers().length
    const reported = await turn.asked(ranLine('a', tool, ran))
    expect(kinds(reported)).toEqual(['finding', 'call-ended', 'call', 'call-ended', 'turn-ended'])
    expect(reported[0]).toMatchObject({ rule: 'call_changed' })
    expect(reported[1]).toMatchObject({ callId: 'a', status: 'error' })
    expect(callIn(reported)).toMatchObject({ callId: 'a-not-asked-1', tool, args: ran })
    expect(callIn(reported)).not.toHaveProperty('answer')
    expect(reported[3]).toMatchObject({ callId: 'a-not-asked-1', status: 'ok' })
    expect(failureIn(reported)).toMatchObject([{ kind: 'configuration', retryable: false }])
    expect(failureIn(reported)[0]?.message).toContain('updatedInput')
    // It waits there until it is ended.
    expect(turn.answers()).toHaveLength(answered)
  })
})

describe('given a result of a call that nobody was asked for', () => {
  async function announced() {
    const turn = interactiveTurn()
    const reported = await turn.told(callSignal('a', 'rm -rf /'), stepSignal)
    return { turn, call: callIn(reported) }
  }

  it('which was refused: the record says that it ran, and the turn ends', async () => {
    const { turn, call } = await announced()
    await call.answer?.(no)
    const reported = await turn.told(endSignal('a'))
    expect(kinds(reported)).toEqual(['finding', 'call-ended', 'call', 'call-ended', 'turn-ended'])
    expect(reported[0]).toMatchObject({ rule: 'call_ran_unasked' })
    expect(callIn(reported)).toMatchObject({ callId: 'a-not-asked-1', args: { command: 'rm -rf /' } })
    expect(reported[3]).toMatchObject({ callId: 'a-not-asked-1', status: 'ok' })
    expect(failureIn(reported)).toMatchObject([{ kind: 'configuration' }])
  })

  it('whatever was decided: the turn ends', async () => {
    const { turn } = await announced()
    expect(kinds(await turn.told(endSignal('a')))).toEqual(['finding', 'call-ended', 'turn-ended'])
  })
})

describe('given its own settings', () => {
  const args = { file_path: '.claude/settings.local.json', content: '{}' }

  it('are not written to, also where its own permissions ask', async () => {
    const turn = interactiveTurn()
    const asked = callIn(await turn.asked(hookLine('a', 'Write', args)))
    const again = callIn(await turn.asked(permissionLine('b', 'Write', args)))
    for (const call of [asked, again]) expect(call.refusal).toContain('watches over this work')
  })
})
