import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HookEffect, HookProtocol } from '../protocol/hooks/index.ts'
import type { HostAnswer } from '../protocol/host/index.ts'
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

export function hookProtocolContract(protocol: HookProtocol): void {
  const wordsOf = (registrations: HookProtocol['registrations']) =>
    registrations.map(({ event, as }) => as ?? event)
  const words = wordsOf(protocol.registrations)
  const verifying = wordsOf(protocol.registrations.filter(({ verifies }) => verifies === true))
  const effectOf = (word: string, answer: HostAnswer): HookEffect =>
    protocol.effect(protocol.answer(word, answer))

  describe(`${protocol.agent} is spoken to by hooks`, () => {
    it('has one hook for the end of a turn, and each of its hooks has a word of its own', () => {
      expect(verifying.filter((word) => protocol.registrations.every(({ as }) => as !== word))).toHaveLength(
        1,
      )
      expect(new Set(words).size).toBe(words.length)
    })

    it.each(verifying)('reads its own sample of %s as a claim', (word) => {
      expect(protocol.read(word, protocol.sample(word, place), {})).toMatchObject({
        ...{ kind: 'read', sessionId: 'session-1', folder: '/home/user/project' },
        event: { kind: 'stopping' },
      })
    })

    it.each(verifying)('lets %s pass where nothing is to be said, and where something is', (word) => {
      for (const answer of passes) expect(effectOf(word, answer), JSON.stringify(answer)).toBe('passed')
    })

    it.each(verifying)('holds the agent at %s', (word) => {
      for (const answer of objections.filter(({ kind }) => kind === 'block'))
        expect(['held', 'refused'], JSON.stringify(answer)).toContain(effectOf(word, answer))
    })

    it.each(verifying)('ends a turn at %s, or does what is nearest', (word) => {
      expect(['ended', 'passed', 'refused']).toContain(effectOf(word, end))
    })

    it.each(words)('answers %s by a text alone, never by an exit code', (word) => {
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

export function expectRefusals(protocol: HookProtocol, word: string, refusal: RegExp): void {
  for (const answer of [...objections, end]) expect(protocol.answer(word, answer).stdout).toMatch(refusal)
}

const names = [
  ...['session_id', 'sessionId', 'conversation_id', 'hook_event_name', 'cwd', 'workspace_roots'],
  ...['tool_name', 'toolName', 'tool_input', 'toolArgs', 'tool_response', 'toolResult', 'tool_output'],
  ...['background_tasks', 'prompt', 'error'],
]

const hostilePayload = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: names.length })

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
