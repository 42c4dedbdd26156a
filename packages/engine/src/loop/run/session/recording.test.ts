import { describe, expect, it } from 'vitest'
import type { Fact, JsonValue } from '@donecheck/core/internal/events'
import {
  standardLoopDetection,
  type RunSettings,
  type ToolTraits,
} from '@donecheck/core/internal/events/settings'
import { play, scriptedAgent, tool, type Scene } from '../../../testing/index.ts'
import type { ToolOutcome } from '../../../ports/loop.ts'

function softly(tools: Readonly<Record<string, ToolTraits>> = {}): Partial<RunSettings> {
  const loopDetection = { ...standardLoopDetection, mode: 'off' as const, tools }
  const stagnation = { mode: 'off' as const, patienceVerifications: 6, changesPerClaim: 5, epsilonScore: 0 }
  return { soft: { loopDetection, stagnation, tokenBudget: null } }
}

async function recorded(
  calls: readonly { readonly tool: string; readonly args: JsonValue }[],
  outcome: (call: number) => ToolOutcome,
  scene: Partial<Scene> = {},
) {
  let call = 0
  const steps = calls.map((one) => ({ tools: [one] }))
  const { events } = await play({
    agent: scriptedAgent([...steps, { text: 'done' }]),
    tools: [tool('ask', () => outcome((call += 1)), 'read')],
    settings: softly(),
    ...scene,
  })
  return events
}

function only<Type extends Fact['type']>(events: readonly Fact[], type: Type) {
  return events.filter((event): event is Extract<Fact, { type: Type }> => event.type === type)
}

const twice = [
  { tool: 'ask', args: { q: 'a' } },
  { tool: 'ask', args: { q: 'a' } },
]

describe('given answers of tools', () => {
  it('those that say the same have one outcome, whatever the time', async () => {
    const events = await recorded(twice, (call) => ({ status: 'ok', output: `done in ${call}.5 s` }))
    const [one, other] = only(events, 'tool-returned')
    expect(one?.outcome).toBeDefined()
    expect(one?.outcome).toBe(other?.outcome)
    expect(one).not.toHaveProperty('failure')
  })

  it('what the user says means nothing is left out', async () => {
    const answer = (call: number): ToolOutcome => ({ status: 'ok', output: `{"id":${call},"state":"open"}` })
    const outcomes = async (traits: ToolTraits) =>
      only(await recorded(twice, answer, { settings: softly({ ask: traits }) }), 'tool-returned').map(
        ({ outcome }) => outcome,
      )
    expect(new Set(await outcomes({ volatileResults: ['id'] })).size).toBe(1)
    expect(new Set(await outcomes({})).size).toBe(2)
  })
})

describe('given a secret in what a call asks and in what comes back', () => {
  const secret = 'correct-horse-4711'
  const secrets = { PASSWORD: secret }
  const args = (value: string): JsonValue => ({ q: `log in with ${value}`, [value]: [{ deep: value }] })
  const output = (value: string) => `invalid password: ${value}`

  /** Everything recorded about one call in a run with these secrets. */
  async function marksOf(value: string, known: Readonly<Record<string, string>>) {
    const events = await recorded(
      [{ tool: 'ask', args: args(value) }],
      () => ({ status: 'error', output: output(value) }),
      { secrets: known },
    )
    const [call] = only(events, 'model-replied').flatMap(({ toolCalls }) => toolCalls)
    const [answer] = only(events, 'tool-returned')
    const marks = [call?.argsDigest, call?.identity, answer?.outcome, answer?.failure]
    return { marks, text: JSON.stringify(events) }
  }

  it('no digest is that of the text with the secret: who guesses it cannot find out', async () => {
    const { marks, text } = await marksOf(secret, secrets)
    const unmasked = await marksOf(secret, {})
    for (const mark of unmasked.marks) {
      expect(mark).toBeDefined()
      expect(text).not.toContain(mark)
    }
    expect(marks).not.toContain(undefined)
    expect(text).not.toContain(secret)
  })
})

describe('given arguments', () => {
  const identities = async (args: readonly JsonValue[], volatileArguments: readonly string[]) => {
    const events = await recorded(
      args.map((one) => ({ tool: 'ask', args: one })),
      () => ({ status: 'ok', output: 'x' }),
      { settings: softly({ ask: { volatileArguments } }) },
    )
    return only(events, 'model-replied').flatMap(({ toolCalls }) => toolCalls.map(({ identity }) => identity))
  }

  it.each([
    ['at the top', ['id'], [{ id: 1, q: 'a' }, { q: 'a', id: 2 }, { q: 'a' }]],
    ['inside', ['meta.id'], [{ meta: { id: 1, x: 1 } }, { meta: { id: 2, x: 1 } }]],
    ['in a list', ['items.id'], [{ items: [{ id: 1 }, { id: 2 }] }, { items: [{ id: 3 }, {}] }]],
    ['with a dot in their name', ['meta.id'], [{ 'meta.id': 1 }, { 'meta.id': 2 }]],
    [
      'several',
      ['id', 'at'],
      [
        { id: 1, at: 1, q: 'a' },
        { id: 2, at: 2, q: 'a' },
      ],
    ],
  ] as readonly (readonly [string, readonly string[], readonly JsonValue[]])[])(
    'calls that differ in volatile ones %s are one call',
    async (_, keys, args) => {
      const found = await identities(args, keys)
      expect(found[0]).toBeDefined()
      expect(new Set(found).size).toBe(1)
    },
  )
})
