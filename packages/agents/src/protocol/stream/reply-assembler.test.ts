import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentCall, AgentSignal } from './agent-signal.ts'
import { ReplyAssembler, type AssembledReply } from './turn-in-flight.ts'

type Part = Parameters<ReplyAssembler['add']>[0]

function call(callId: string, more: Partial<AgentCall> = {}): AgentCall {
  return { kind: 'call', callId, tool: 'Bash', args: {}, effect: 'execute', ...more }
}

const text = (piece: string): AgentSignal & { kind: 'text' } => ({ kind: 'text', piece })
const step = (inputTokens = 10, costUsd = 1): AgentSignal & { kind: 'step' } => ({
  kind: 'step',
  usage: { inputTokens, outputTokens: 1, estimated: false },
  costUsd,
})
const callEnded = (callId: string): AgentSignal & { kind: 'call-ended' } => ({
  kind: 'call-ended',
  callId,
  status: 'ok',
  output: '',
})
const turnEnded: AgentSignal & { kind: 'turn-ended' } = { kind: 'turn-ended', text: '' }

/** Each reply as its text and its calls; the rest comes last. */
function repliesOf(tellsSteps: boolean, ...signals: readonly Part[]) {
  const all = assembled(tellsSteps, signals)
  return all.map(({ text: said, calls }) => [said, ...calls.map(({ callId }) => callId)].join(' '))
}

function assembled(tellsSteps: boolean, signals: readonly Part[]): readonly AssembledReply[] {
  const replies = new ReplyAssembler(tellsSteps)
  const all: AssembledReply[] = []
  for (const signal of signals) {
    replies.add(signal)
    for (let reply = replies.take(); reply !== undefined; reply = replies.take()) all.push(reply)
  }
  return [...all, replies.rest()]
}

describe('given an agent that tells when a reply of its model is over', () => {
  it('makes one reply of a text and several calls', () => {
    const signals = [text('Look.'), call('a'), call('b'), step(), callEnded('b'), callEnded('a')]
    expect(repliesOf(true, ...signals, text('Done.'), step(), turnEnded)).toEqual(['Look. a b', 'Done.'])
  })

  it('hands on a call that is asked at once, and books its reply later', () => {
    const answer = () => Promise.resolve()
    const replies = assembled(true, [call('a', { answer }), step(7), text('Done.'), step(9), turnEnded])
    expect(replies.map(({ calls, usage }) => [calls.length, usage?.inputTokens])).toEqual([
      [1, undefined],
      [0, 16],
    ])
  })
})

describe('given an agent that tells its usage at the end', () => {
  it('makes a reply of every call', () => {
    const end = { ...turnEnded, usage: step(100).usage, costUsd: 3 }
    const replies = assembled(false, [
      text('Look.'),
      call('a'),
      callEnded('a'),
      call('b'),
      text('Done.'),
      end,
    ])
    expect(replies.map(({ text: said, usage, costUsd }) => [said, usage?.inputTokens, costUsd])).toEqual([
      ['Look.', undefined, undefined],
      ['', undefined, undefined],
      ['Done.', 100, 3],
    ])
  })
})

describe('given a call during which others come', () => {
  const sub = call('sub', { holdsOthers: true })

  it('is told after them', () => {
    const signals = [sub, call('a'), callEnded('a'), callEnded('sub'), text('Done.'), turnEnded]
    expect(repliesOf(false, ...signals)).toEqual([' a', ' sub', 'Done.'])
  })
})

describe('given any signals', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd')
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.constantFrom('x', 'yy').map(text),
    ids.map((id) => call(id)),
    ids.map((id) => call(id, { holdsOthers: true })),
    ids.map((id) => call(id, { answer: () => Promise.resolve() })),
    ids.map(callEnded),
    fc.nat(100).map((tokens) => step(tokens)),
  )

  it('loses no word, no token and no dollar, and proposes every call once', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(part, { maxLength: 60 }), (tellsSteps, parts) => {
        // A call of a name that is held already takes its place: names are the agent's own.
        const unique = parts.map((signal, index) =>
          signal.kind === 'call' ? { ...signal, callId: `${index}` } : signal,
        )
        const replies = assembled(tellsSteps, [...unique, turnEnded])
        const steps = unique.filter((signal) => signal.kind === 'step')
        expect(replies.map((reply) => reply.text).join('')).toBe(
          unique.map((signal) => (signal.kind === 'text' ? signal.piece : '')).join(''),
        )
        expect(sum(replies.map(({ usage }) => usage?.inputTokens ?? 0))).toBe(
          sum(steps.map(({ usage }) => usage.inputTokens)),
        )
        expect(sum(replies.map(({ costUsd }) => costUsd ?? 0))).toBe(steps.length)
        expect(replies.flatMap(({ calls }) => calls.map(({ callId }) => callId)).toSorted()).toEqual(
          unique.flatMap((signal) => (signal.kind === 'call' ? [signal.callId] : [])).toSorted(),
        )
      }),
    )
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
