import { describe, expect, it } from 'vitest'
import type { AgentSignal } from '../../protocol/stream/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'
import { withSteps } from './drive.ts'

const session: AgentSignal = { kind: 'session', id: 'one' }
const text: AgentSignal = { kind: 'text', piece: 'I look.' }
const call = (callId: string): AgentSignal => ({ kind: 'call', callId, tool: 'ls', args: {}, effect: 'read' })
const ended = (callId: string): AgentSignal => ({ kind: 'call-ended', callId, status: 'ok', output: '' })
const used = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  estimated: false,
})
const turnEnded = (usage?: TokenUsage): AgentSignal => ({
  kind: 'turn-ended',
  text: '',
  ...(usage === undefined ? {} : { usage }),
})

async function stepped(
  signals: readonly AgentSignal[],
  totals: readonly (TokenUsage | undefined)[] = [],
): Promise<readonly AgentSignal[]> {
  const left = [...totals]
  const source = (async function* () {
    for (const signal of signals) yield await Promise.resolve(signal)
  })()
  const read: AgentSignal[] = []
  for await (const signal of withSteps(source, () => () => Promise.resolve(left.shift()))) read.push(signal)
  return read
}

describe('given calls whose ends come at once', () => {
  it('puts a step between the calls of a reply and their ends', async () => {
    const signals = await stepped([
      session,
      text,
      call('a'),
      call('b'),
      ended('a'),
      ended('b'),
      text,
      turnEnded(),
    ])
    expect(signals.map(({ kind }) => kind)).toEqual([
      ...['session', 'text', 'call', 'call', 'step', 'call-ended', 'call-ended', 'text', 'turn-ended'],
    ])
  })
})

describe('given a call that is at work for long', () => {
  it('tells the step while it runs', async () => {
    const atWork = Promise.withResolvers<AgentSignal>()
    const source = (async function* () {
      yield call('a')
      yield await atWork.promise
    })()
    const signals = withSteps(source, () => () => Promise.resolve(undefined))[Symbol.asyncIterator]()
    expect((await signals.next()).value).toMatchObject({ kind: 'call' })
    expect((await signals.next()).value).toMatchObject({ kind: 'step' })
    atWork.resolve(ended('a'))
    expect((await signals.next()).value).toMatchObject({ kind: 'call-ended' })
  })
})

describe('given a record of what was used', () => {
  it('tells every step its own, and the end what is left', async () => {
    const signals = await stepped(
      [session, call('a'), ended('a'), call('b'), ended('b'), turnEnded(used(3500, 160))],
      [used(1000, 50), used(2500, 90)],
    )
    const usages = signals.flatMap((signal) => ('usage' in signal ? [signal.usage] : []))
    expect(usages).toEqual([used(1000, 50), used(1500, 40), used(1000, 70)])
  })
})
