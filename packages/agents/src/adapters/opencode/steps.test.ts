import { describe, expect, it } from 'vitest'
import { noUsage, type AgentSignal } from '../../protocol/stream/index.ts'
import { endsAfterStep } from './index.ts'

const call = (callId: string): AgentSignal => ({ kind: 'call', callId, tool: 'ls', args: {}, effect: 'read' })
const ended = (callId: string): AgentSignal => ({ kind: 'call-ended', callId, status: 'ok', output: '' })
const step: AgentSignal = { kind: 'step', usage: noUsage }
const turnEnded: AgentSignal = { kind: 'turn-ended', text: '' }

async function kindsOf(signals: readonly AgentSignal[]): Promise<readonly string[]> {
  const source = (async function* () {
    for (const signal of signals) yield await Promise.resolve(signal)
  })()
  const kinds: string[] = []
  for await (const signal of endsAfterStep(source))
    kinds.push('callId' in signal ? `${signal.kind} ${signal.callId}` : signal.kind)
  return kinds
}

describe('given calls of one reply', () => {
  it('keeps their ends until the reply is over', async () => {
    expect(await kindsOf([call('a'), ended('a'), call('b'), ended('b'), step, turnEnded])).toEqual([
      ...['call a', 'call b', 'step', 'call-ended a', 'call-ended b', 'turn-ended'],
    ])
  })

  it('tells them before the end of a turn that broke off', async () => {
    expect(await kindsOf([call('a'), ended('a'), turnEnded])).toEqual([
      'call a',
      'call-ended a',
      'turn-ended',
    ])
  })
})

describe('given another call that is at work for long', () => {
  it('tells what is over meanwhile', async () => {
    const atWork = Promise.withResolvers<AgentSignal>()
    const source = (async function* () {
      yield call('a')
      yield ended('a')
      yield await atWork.promise
    })()
    const signals = endsAfterStep(source)[Symbol.asyncIterator]()
    expect((await signals.next()).value).toMatchObject({ kind: 'call' })
    expect((await signals.next()).value).toMatchObject({ kind: 'call-ended' })
    atWork.resolve(step)
    expect((await signals.next()).value).toMatchObject({ kind: 'step' })
  })
})
