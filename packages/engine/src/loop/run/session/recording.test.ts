/** What a run records of calls, so that later ones can be compared with them. */
import { describe, expect, it } from 'vitest'
import type { Fact, JsonValue } from '@donecheck/core/events'
import { standardLoopDetection, type RunSettings, type ToolTraits } from '@donecheck/core/settings'
import type { SecretValues } from '@donecheck/core/secrets'
import { play, scriptedDrive, tool, type Scene } from '../../../testing/index.ts'
import type { ToolOutcome } from '../../../ports/loop.ts'
import { toolReturned } from '../calls/call-records.ts'

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
    drive: scriptedDrive([...steps, { text: 'done' }]),
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

describe('given a function of the user that normalises results', () => {
  const state = { settings: softly() } as Parameters<typeof toolReturned>[3]['state']
  const factOf = (
    normaliseResult: ((tool: string, output: string) => string) | undefined,
    output: string,
    secrets: SecretValues = {},
  ) =>
    toolReturned(
      '1',
      'ask',
      { status: 'ok', output },
      { state, secrets, world: normaliseResult === undefined ? {} : { normaliseResult } },
    )

  it('is asked with tool and output, and only what is compared follows it', () => {
    const first = (name: string, output: string) => `${name} ${output.split(' ')[0] ?? ''}`
    expect(factOf(first, 'open, asked by ann')).toMatchObject({ output: 'open, asked by ann' })
    expect(factOf(first, 'open, asked by ann').outcome).toBe(factOf(first, 'open, asked by bob').outcome)
    expect(factOf(first, 'shut, asked by ann').outcome).not.toBe(factOf(first, 'open, asked by ann').outcome)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['gives no text', () => JSON.parse('7') as string],
  ])('where it %s the output is compared as it is', (_, normalise) => {
    expect(factOf(normalise, 'open').outcome).toBe(factOf(undefined, 'open').outcome)
    expect(factOf(normalise, 'open').outcome).not.toBe(factOf(normalise, 'shut').outcome)
  })
})

describe('given a secret in what a call asks and in what comes back', () => {
  const secret = 'correct-horse-4711'
  const secrets = { PASSWORD: secret }
  const args = (value: string): JsonValue => ({ q: `log in with ${value}`, [value]: [{ deep: value }] })
  const output = (value: string) => `invalid password: ${value}`

  /** All that is recorded of one call in a run that knows these secrets. */
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

  it('the function of the user does not see it, and cannot bring it back', () => {
    const state = { settings: softly() } as Parameters<typeof toolReturned>[3]['state']
    const seen: string[] = []
    const answer = (normaliseResult: (tool: string, text: string) => string, known: typeof secrets) =>
      toolReturned(
        '1',
        'ask',
        { status: 'ok', output: output(secret) },
        { state, secrets: known, world: { normaliseResult } },
      ).outcome
    const bringBack = (_: string, text: string) => {
      seen.push(text)
      return `password: ${secret}`
    }
    expect(answer(bringBack, secrets)).toBe(answer(() => 'password: [masked:PASSWORD]', secrets))
    expect(answer(bringBack, secrets)).not.toBe(answer(bringBack, { PASSWORD: 'something else' }))
    expect(seen[0]).toBe('invalid password: [masked:PASSWORD]')
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

  it.each([
    [
      'another argument',
      ['id'],
      [
        { id: 1, q: 'a' },
        { id: 1, q: 'b' },
      ],
    ],
    ['the same key elsewhere', ['id'], [{ meta: { id: 1 } }, { meta: { id: 2 } }]],
    ['a path that leads nowhere', ['meta.id'], [{ meta: 1 }, { meta: 2 }]],
    ['a key of everybody', ['__proto__.id', 'constructor'], [{ q: 1 }, { q: 2 }]],
  ] as readonly (readonly [string, readonly string[], readonly JsonValue[]])[])(
    'calls that differ in %s are two',
    async (_, keys, args) => {
      expect(new Set(await identities(args, keys)).size).toBe(2)
    },
  )
})
