import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HookEffect, HookProtocol } from '../protocol/hooks/index.ts'
import type { HostAnswer, HostEvent } from '../protocol/host/index.ts'
import { readFileSync } from 'node:fs'

const place = { sessionId: 'session-1', folder: '/home/user/project' }

const passes: readonly HostAnswer[] = [
  { kind: 'pass' },
  { kind: 'pass', notice: 'for the person' },
  { kind: 'pass', context: 'for the model' },
  { kind: 'pass', context: 'for the model', notice: 'for the person' },
]
const objections: readonly HostAnswer[] = [
  { kind: 'block', feedback: 'the check is red' },
  { kind: 'block', feedback: 'the check is red', notice: 'blocked' },
  { kind: 'refuse', reason: 'a rule forbids it' },
  { kind: 'ask', reason: 'a person must decide' },
]
const end: HostAnswer = { kind: 'end', message: 'a cap was reached' }

/** What every agent's hooks keep to: a pass is one, an objection is never weaker than what it stands for, and nothing throws. */
export function hookProtocolContract(protocol: HookProtocol): void {
  const words = protocol.registrations.map(({ event, as }) => as ?? event)
  const effectOf = (word: string, answer: HostAnswer): HookEffect =>
    protocol.effect(word, protocol.answer(word, answer))

  describe(`${protocol.agent} is spoken to by hooks`, () => {
    it('has exactly one hook for the end of a turn, and it has the time for a verification', () => {
      const claims = protocol.registrations.filter(({ event, as }) => {
        const read = eventOf(protocol, as ?? event)
        return read.kind === 'stopping' && read.subagent === undefined && as === undefined
      })
      expect(claims.map(({ verifies }) => verifies)).toEqual([true])
      expect(new Set(words).size).toBe(words.length)
    })

    it.each(words)('reads its own sample of %s', (word) => {
      const reading = protocol.read(word, protocol.sample(word, place), {})
      expect(reading).toMatchObject({ kind: 'read', sessionId: 'session-1', folder: '/home/user/project' })
    })

    it.each(words)('lets %s pass where nothing is to be said, and where something is', (word) => {
      for (const answer of passes) expect(effectOf(word, answer), JSON.stringify(answer)).toBe('passed')
    })

    it.each(words)('objects to %s as strongly as the agent lets it', (word) => {
      const expected = objectionsTo(eventOf(protocol, word), protocol, word)
      for (const answer of objections)
        expect(expected, JSON.stringify(answer)).toContain(effectOf(word, answer))
    })

    it.each(words)('ends a turn at %s, or does what is nearest', (word) => {
      expect(endingsOf(eventOf(protocol, word))).toContain(effectOf(word, end))
    })

    it.each(words)('blocks %s by an answer alone, never by an exit code', (word) => {
      for (const answer of [...passes, ...objections, end]) {
        const { exitCode, stdout, stderr } = protocol.answer(word, answer)
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
        expect(() => textsIn(stdout)).not.toThrow()
      }
    })

    test.prop([fc.constantFrom(...words, 'Unheard-of'), fc.oneof(fc.jsonValue(), hostilePayload)])(
      'reads whatever it is sent, or says why it cannot',
      (word, payload) => {
        const reading = protocol.read(word, payload, {})
        if (reading.kind === 'unreadable') expect(reading.problem).not.toBe('')
        else expect(reading.sessionId).not.toBe('')
      },
    )

    test.prop([fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 200_000, size: 'max' })], {
      numRuns: 10,
    })('keeps answers short enough for the agent', (word, text) => {
      for (const answer of [
        { kind: 'block', feedback: text } as const,
        { kind: 'refuse', reason: text } as const,
      ])
        for (const said of textsIn(protocol.answer(word, answer).stdout))
          expect(said.length).toBeLessThan(10_000)
    })
  })
}

const names = [
  'session_id',
  'sessionId',
  'conversation_id',
  'hook_event_name',
  'cwd',
  'tool_name',
  'toolName',
  'tool_input',
  'toolArgs',
  'tool_response',
  'toolResult',
  'tool_output',
  'background_tasks',
  'workspace_roots',
  'prompt',
  'error',
]

const hostilePayload = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: names.length })

function eventOf(protocol: HookProtocol, word: string): HostEvent {
  const reading = protocol.read(word, protocol.sample(word, place), {})
  if (reading.kind === 'unreadable') throw new Error(reading.problem)
  return reading.event
}

function objectionsTo(event: HostEvent, protocol: HookProtocol, word: string): readonly HookEffect[] {
  if (event.kind === 'tool-proposed') return ['refused', 'asked']
  if (event.kind === 'stopping' && event.subagent === undefined)
    return isSecond(protocol, word) ? ['refused', 'asked'] : ['held']
  return ['passed', 'held', 'refused']
}

function isSecond(protocol: HookProtocol, word: string): boolean {
  return protocol.registrations.some(({ as }) => as === word)
}

function endingsOf({ kind }: HostEvent): readonly HookEffect[] {
  if (kind === 'stopping') return ['ended', 'passed', 'refused']
  if (kind === 'tool-proposed') return ['refused']
  return ['ended', 'passed', 'held', 'refused']
}

function textsIn(stdout: string): readonly string[] {
  const texts: string[] = []
  if (stdout !== '')
    JSON.parse(stdout, (_name, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  return texts
}

export interface RecordedHook {
  readonly event: string
  readonly payload: unknown
}

export function recordedHooks(file: URL): readonly RecordedHook[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedHook)
}
