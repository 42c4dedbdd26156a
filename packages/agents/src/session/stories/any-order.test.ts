/** For any order of host events, a stop is allowed only if the record is truthful. */
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { afterEach, describe, expect } from 'vitest'
import type { HostCall, HostEvent } from '../../protocol/host/index.ts'
import { fold } from '@donecheck/core/internal/state'
import { parseEvent } from '@donecheck/core/internal/events'
import { bash, newFolder, removeFolders, startSession, stopping } from '../fixtures/start-session.ts'

afterEach(removeFolders)

const calls: readonly HostCall[] = [
  bash('c-1', 'cat a'),
  bash('c-2', 'cat b'),
  bash('', 'cat c'),
  { callId: 'r-1', tool: 'Read', args: { path: 'a' }, act: { kind: 'read' } },
  { callId: 'w-1', tool: 'Write', args: {}, act: { kind: 'write', path: 'a.txt', content: 'x' } },
  { callId: 'u-1', tool: 'Odd', args: null, act: { kind: 'unknown' } },
]
const usage = { inputTokens: 1, outputTokens: 1, estimated: false }

const anyCall = fc.constantFrom(...calls)
const anyEvent: fc.Arbitrary<HostEvent> = fc.oneof(
  fc.constant<HostEvent>({ kind: 'session-started' }),
  fc.constant<HostEvent>({ kind: 'prompted', prompt: 'make done.txt' }),
  anyCall.map((call): HostEvent => ({ kind: 'tool-proposed', call })),
  anyCall.map((call): HostEvent => ({
    kind: 'tool-finished',
    call,
    result: { status: 'unknown', output: call.callId },
  })),
  fc
    .subarray([...calls], { maxLength: 2 })
    .map((some): HostEvent => ({ kind: 'replied', text: 'I go on.', calls: some, usage })),
  fc
    .record({ waits: fc.boolean(), again: fc.boolean() })
    .map(({ waits, again }) => stopping({ waitingFor: waits ? ['a process'] : [], wasBlocked: again })),
  fc.constant<HostEvent>({ kind: 'turn-failed', message: 'the network' }),
  fc.constant<HostEvent>({ kind: 'session-ended' }),
  fc.constant<HostEvent>({ kind: 'irrelevant' }),
)

describe('given any events in any order, and a check that is red', () => {
  test.prop([fc.array(anyEvent, { maxLength: 14 }), fc.boolean(), fc.boolean()], { numRuns: 60 })(
    'nothing throws, nothing is verified, and the record can be read again',
    async (reported, reportsUsage, silentFailures) => {
      const workFolder = newFolder()
      const baseline = 'tree' as const
      const { agentSession, events } = await startSession({
        workFolder,
        reportsUsage,
        silentFailures,
        baseline,
        guard: false,
      })
      for (const event of reported) {
        const answer = await agentSession.observe(event)
        const isClaim = event.kind === 'stopping' && event.waitingFor.length === 0
        if (isClaim && answer.kind === 'pass') expect(agentSession.end?.outcome).not.toBe('verified')
        if (isClaim && answer.kind === 'pass') expect(agentSession.end).toBeDefined()
      }
      expect(events.map((event) => parseEvent(JSON.parse(JSON.stringify(event))).kind)).not.toContain(
        'invalid',
      )
      const latest = events.filter(({ runId }) => runId === agentSession.state?.runId)
      expect(fold(latest)).toEqual(agentSession.state)
    },
  )
})
