import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../testing/index.ts'
import { call } from '../fixtures/occasions.ts'
import { hookPipeline } from '../pipeline.ts'
import type { ToolHook } from '../registration.ts'

/** A hook from a program without types. */
function gate(run: unknown, more: object = {}): ToolHook {
  return { name: 'gate', point: 'before_tool_call', run, ...more } as ToolHook
}

async function answerTo(run: unknown, more: object = {}) {
  return hookPipeline({ tools: [gate(run, more)] }).fire('before_tool_call', call())
}

const thrower = new Proxy({}, { ownKeys: fail })

const wrong: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a text', 'forbidden'],
  ['a list', []],
  ['a map', new Map([['decision', 'allow']])],
  ['a word of another system', { decision: 'deny' }],
  ['a field of another system', { block: true }],
  ['a reason that is no text', { decision: 'allow', reason: 1 }],
  ['arguments with a function', { args: { run: () => 1 } }],
  ['arguments with a number that JSON has not', { args: { size: Number.NaN } }],
  ['arguments with a date', { args: { at: new Date(0) } }],
  ['arguments within themselves', { args: withItself() }],
  ['a getter that throws', Object.defineProperty({}, 'decision', { enumerable: true, get: () => fail() })],
  ['a proxy that throws', thrower],
]

function withItself(): object {
  const args: Record<string, unknown> = {}
  args['again'] = args
  return args
}

function fail(): never {
  throw new Error('broken')
}

describe('given a gate that answers what it may not', () => {
  it.each(wrong)('%s is a failure, and the call is refused in its name', async (_, value) => {
    const { merged, ran, refusal } = await answerTo(() => value)
    expect(merged.decision).toBe('forbidden')
    expect(merged.reason).toMatch(/^hook gate failed, and fails closed: ./)
    expect(refusal).toBe(merged.reason)
    expect(ran).toMatchObject([{ effect: 'failed' }])
  })

  it.each(wrong)('where it fails open, %s is noted and no decision', async (_, value) => {
    const { merged, ran, refusal } = await answerTo(() => value, { onFailure: 'open' })
    expect([merged, refusal]).toEqual([{}, undefined])
    expect(ran).toMatchObject([{ effect: 'failed' }])
  })

  it('the note names the field, so that it can be mended', async () => {
    const { ran } = await answerTo(() => ({ block: true }), { onFailure: 'open' })
    expect(ran[0]?.note).toContain('"block"')
  })
})

describe('given a gate that throws', () => {
  it.each([
    ['at once', () => fail()],
    ['later', async () => fail()],
    ['as a thenable', () => ({ then: () => fail() })],
    ['in the getter of then', () => Object.defineProperty({}, 'then', { get: () => fail() })],
  ])('%s, the call is refused with its words', async (_, run) => {
    expect((await answerTo(run)).merged.reason).toBe('hook gate failed, and fails closed: broken')
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'broken'],
    ['a proxy', thrower],
    ['an error that cannot be read', Object.defineProperty(new Error(), 'message', { get: () => fail() })],
    ['an endless text', 'x'.repeat(1_000_000)],
  ])('%s, the note is short and readable', async (_, thrown) => {
    const { ran } = await answerTo(() => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- people throw anything
      throw thrown
    })
    expect(ran[0]?.effect).toBe('failed')
    expect(ran[0]?.note?.length).toBeGreaterThan(0)
    expect(ran[0]?.note?.length).toBeLessThan(600)
  })
})

describe('given a gate that never answers', () => {
  const never = () => new Promise(() => undefined)

  it('it is not waited for after its time, and the call is refused', async () => {
    const clock = manualClock()
    const answer = hookPipeline({ tools: [gate(never, { timeoutMs: 40 })] }, clock).fire(
      'before_tool_call',
      call(),
    )
    await settled()
    clock.advance(40)
    expect(await answer).toMatchObject({
      merged: { decision: 'forbidden', reason: expect.stringContaining('within 40 ms') as string },
      ran: [{ effect: 'timed-out', durationMs: 40 }],
    })
    expect(clock.sleeping).toBe(0)
  })

  it('what it answers or throws after its time changes nothing', async () => {
    const clock = manualClock()
    const late = Promise.withResolvers<object>()
    const answer = hookPipeline({ tools: [gate(() => late.promise)] }, clock).fire('before_tool_call', call())
    await settled()
    clock.advance(5_000)
    const { merged } = await answer
    late.reject(new Error('too late'))
    await settled()
    expect(merged.decision).toBe('forbidden')
  })

  it('when the run is interrupted it gets a moment to end, and no more', async () => {
    const clock = manualClock()
    const user = new AbortController()
    const input = call({}, { signal: user.signal })
    const answer = hookPipeline({ tools: [gate(never)] }, clock).fire('before_tool_call', input)
    await settled()
    user.abort(new Error('SIGINT'))
    await settled()
    clock.advance(1_000)
    expect(await answer).toMatchObject({ merged: { decision: 'forbidden' }, ran: [{ effect: 'failed' }] })
  })
})

describe('given a hook that has answered', () => {
  it('its signal does not abort afterwards, and nothing waits', async () => {
    const clock = manualClock()
    const signals: AbortSignal[] = []
    const keeps = (_: unknown, signal: AbortSignal) => void signals.push(signal)
    await hookPipeline({ tools: [gate(keeps)] }, clock).fire('before_tool_call', call())
    await settled()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    expect(clock.sleeping).toBe(0)
  })
})

describe('given hooks that hear of errors', () => {
  it('they are told which hook failed where, and their part is in the trace', async () => {
    const heard: string[] = []
    const hooks = hookPipeline({
      tools: [gate(fail)],
      lifecycle: [
        {
          name: 'alarm',
          point: 'on_error',
          run: ({ where, message }) => void heard.push(`${where}: ${message}`),
        },
      ],
    })
    const { ran } = await hooks.fire('before_tool_call', call())
    expect(heard).toEqual(['hook gate (before_tool_call): broken (it fails closed)'])
    expect(ran.map(({ hook, point, order }) => [hook, point, order])).toEqual([
      ['gate', 'before_tool_call', 1],
      ['alarm', 'on_error', 1],
    ])
  })
})

/** Resolves when all timeless work is done. */
async function settled(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
}
