/** Generators of facts for the properties in this room and in `core/`; names come from a small set, so that facts meet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  failure,
  gateDecided,
  hookRan,
  stop,
  stopTransition,
  transition,
  verifierNames,
  goalFactOfType,
  recalled,
  replyDelivered,
  replySettled,
} from './generated-parts.test.ts'
import { runStarted, subRunEnded, subRunStarted } from '../facts.ts'
import { refusalLabels } from '../../events/gate/index.ts'
import { planEntryState } from '../../events/index.ts'
import type { Fact, FactType, Finding, JsonValue } from '../../events/index.ts'
import type { CommandEvidence, Evidence, OutputExcerpt, Verdict } from '../../events/verdicts/index.ts'

const verifierName = fc.constantFrom(...verifierNames)
const callId = fc.constantFrom('a', 'b', 'c')
const text = fc.string({ maxLength: 40, unit: 'grapheme' })
const count = fc.nat({ max: 5000 })
const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
const status = fc.constantFrom('passed', 'failed', 'error', 'skipped', 'pending')

const jsonLeaf: fc.Arbitrary<JsonValue> = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
/** The key `__proto__` is no data: the parser drops it. */
const jsonKey = text.filter((key) => key !== '__proto__')
const jsonObject = fc.dictionary(jsonKey, fc.oneof(jsonLeaf, fc.array(jsonLeaf)), { noNullPrototype: true })
const json: fc.Arbitrary<JsonValue> = fc.oneof(jsonLeaf, jsonObject, fc.array(jsonObject))

const excerpt: fc.Arbitrary<OutputExcerpt> = fc.record({
  head: text,
  tail: text,
  totalBytes: count,
  omittedBytes: count,
  digest: text,
})

const commandEvidence: fc.Arbitrary<CommandEvidence> = fc.record({
  kind: fc.constant('command'),
  command: text,
  folder: text,
  exitCode: fc.option(fc.integer()),
  signal: fc.option(text),
  timedOut: fc.boolean(),
  output: excerpt,
  environmentDigest: text,
})

const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  commandEvidence,
  fc.record({ kind: fc.constant('note' as const), text }),
)

const verdict: fc.Arbitrary<Verdict> = fc.record(
  {
    verifier: verifierName,
    status,
    reason: text,
    canRetry: fc.boolean(),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    qualifiers: fc.subarray([
      'flaky',
      'pre-existing',
      'infrastructure',
      'tampered',
      'unverifiable',
      'cached',
      'waived',
    ]),
    evidence: fc.array(evidence, { maxLength: 2 }),
    durationMs: count,
    costUsd: amount,
    fingerprint: text,
  },
  { requiredKeys: ['verifier', 'status', 'reason', 'canRetry', 'qualifiers', 'evidence', 'durationMs'] },
)

const findingBody = {
  rule: fc.constantFrom('cap:iterations', 'cap:tokens', 'refused_calls'),
  message: text,
  numbers: fc.dictionary(fc.constantFrom('used', 'limit'), amount, { noNullPrototype: true }),
  basedOn: fc.array(count, { maxLength: 2 }),
}

const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.record({ ...findingBody, level: fc.constantFrom('note' as const, 'warn' as const) }),
  fc.record({ ...findingBody, level: fc.constant('stop' as const), stop }),
)

const usage = fc.option(
  fc.record(
    {
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count,
      reasoningTokens: count,
      estimated: fc.boolean(),
    },
    { requiredKeys: ['inputTokens', 'outputTokens', 'estimated'] },
  ),
)

const toolCall = fc.record(
  { callId, tool: text, args: json, argsDigest: text, malformed: text },
  { requiredKeys: ['callId', 'tool', 'args', 'argsDigest'] },
)

function fact<Type extends FactType, Rest>(
  type: Type,
  rest: fc.Arbitrary<Rest>,
): fc.Arbitrary<{ type: Type } & Rest> {
  return rest.map((fields) => ({ type, ...fields }))
}

const childRunId = fc.constantFrom('child-1', 'child-2')
const turn = fc.integer({ min: 1, max: 4 })

/** One generator for every type of fact but the first: the compiler asks for a missing one. */
export const factOfType: { readonly [Type in FactType]: fc.Arbitrary<Extract<Fact, { type: Type }>> } = {
  'run-started': fc.tuple(fc.option(fc.constant('/srv/tree')), json).map(([workFolder, recipe]) =>
    runStarted({
      ...(workFolder === null ? { workFolder, recipe } : { workFolder, recipe, tags: ['nightly'] }),
      verifiers: verifierNames.map((name) => ({ name, deterministic: name !== 'judge' })),
    }),
  ),
  ...goalFactOfType,
  'run-resumed': fact('run-resumed', fc.record({ holder: text })),
  'agent-session-opened': fact('agent-session-opened', fc.record({ sessionId: text })),
  'memory-recalled': fact('memory-recalled', recalled),
  'agent-plan-reported': fact(
    'agent-plan-reported',
    fc.record(
      {
        entries: fc.array(fc.record({ text, state: fc.constantFrom(...planEntryState.options) }), {
          maxLength: 3,
        }),
        leftOut: count,
      },
      { requiredKeys: ['entries'] },
    ),
  ),
  'interrupt-requested': fact('interrupt-requested', fc.record({ by: text })),
  'run-stopped': fact('run-stopped', fc.record({ transition: stopTransition })),
  'model-called': fact('model-called', fc.record({ turn, attempt: turn })),
  'model-replied': fact(
    'model-replied',
    fc.record(
      {
        text,
        toolCalls: fc.array(toolCall, { maxLength: 3 }),
        finish: fc.constantFrom('stop', 'tool-calls', 'length', 'other'),
        usage,
        costUsd: fc.option(amount),
        problem: text,
      },
      { requiredKeys: ['text', 'toolCalls', 'finish', 'usage', 'costUsd'] },
    ),
  ),
  'model-failed': fact(
    'model-failed',
    fc.record(
      { failure, usage, costUsd: fc.option(amount), notice: text },
      { requiredKeys: ['failure', 'usage', 'costUsd'] },
    ),
  ),
  'wait-started': fact(
    'wait-started',
    fc.record({ for: fc.constantFrom('provider', 'limit'), untilMs: count, reason: text }),
  ),
  'wait-ended': fc.constant({ type: 'wait-ended' }),
  'gate-decided': fact('gate-decided', gateDecided),
  'hook-ran': fact('hook-ran', hookRan),
  'approval-requested': fact('approval-requested', fc.record({ callId, question: text })),
  'approval-given': fact(
    'approval-given',
    fc.record(
      {
        callId,
        approved: fc.boolean(),
        by: text,
        reason: text,
        scope: fc.constantFrom('once', 'session', 'rule'),
      },
      { requiredKeys: ['callId', 'approved', 'by', 'reason'] },
    ),
  ),
  'tool-called': fact(
    'tool-called',
    fc.record({ callId, tool: text, effect: fc.constantFrom('read', 'write', 'execute') }),
  ),
  'tool-returned': fact(
    'tool-returned',
    fc.record(
      {
        callId,
        status: fc.constantFrom('ok', 'error', 'interrupted', 'unknown'),
        output: text,
        outcome: fc.constantFrom('x', 'y'),
        failure: fc.constantFrom('x', 'y'),
        changed: fc.boolean(),
      },
      { requiredKeys: ['callId', 'status', 'output'] },
    ),
  ),
  'tool-refused': fact(
    'tool-refused',
    fc.record(
      {
        callId,
        by: fc.constantFrom('gate', 'approver', 'cap', 'schema', 'record', 'detector', 'hook'),
        reason: text,
        label: fc.constantFrom(...refusalLabels),
      },
      { requiredKeys: ['callId', 'by', 'reason'] },
    ),
  ),
  'workspace-observed': fact(
    'workspace-observed',
    fc.record({ fingerprint: fc.constantFrom('tree-0', 'tree-1') }),
  ),
  'verification-started': fact(
    'verification-started',
    fc.record({
      trigger: fc.constantFrom('baseline', 'change', 'claim', 'turn', 'cap'),
      verifiers: fc.subarray([...verifierNames], { minLength: 1 }),
    }),
  ),
  'verdict-given': fact('verdict-given', fc.record({ verdict })),
  'finding-noted': fact('finding-noted', fc.record({ finding })),
  'turn-ended': fact(
    'turn-ended',
    fc.record({ turn, transition, feedback: text }, { requiredKeys: ['turn', 'transition'] }),
  ),
  'final-summary-called': fact('final-summary-called', fc.record({ end: stopTransition, notice: text })),
  'final-summary-replied': fact(
    'final-summary-replied',
    fc.record(
      { text, droppedCalls: count, usage, costUsd: fc.option(amount), problem: text },
      { requiredKeys: ['text', 'droppedCalls', 'usage', 'costUsd'] },
    ),
  ),
  'sub-run-started': fc
    .record({ childRunId, callId, maxTokens: fc.option(count), maxIterations: fc.option(count) })
    .map(({ childRunId: run, callId: id, ...caps }) => subRunStarted(run, id, caps, run < id)),
  'sub-run-ended': fc
    .record({ childRunId, spent: fc.option(fc.record({ iterations: count, inputTokens: count })) })
    .map(({ childRunId: child, spent }) => subRunEnded(child, spent)),
  'reply-judging-started': fact('reply-judging-started', fc.record({ attempt: turn, maxAttempts: turn })),
  'reply-judged': fact('reply-judged', fc.record({ attempt: turn, verdict })),
  'reply-settled': fact('reply-settled', replySettled),
  'reply-delivered': fact('reply-delivered', replyDelivered),
  'budget-added': fact(
    'budget-added',
    fc.record({
      by: text,
      added: fc.record({ iterations: count, costUsd: amount, wallClockMs: amount }, { requiredKeys: [] }),
    }),
  ),
}

export const factTypes = Object.keys(factOfType) as readonly FactType[]

/** Any fact that may come after the first one of a run. */
export const laterFact: fc.Arbitrary<Fact> = fc.oneof(
  ...factTypes.filter((type) => type !== 'run-started').map((type): fc.Arbitrary<Fact> => factOfType[type]),
)

describe('given the generators', () => {
  it.each(factTypes)('one makes facts of type %s', (type) => {
    fc.assert(
      fc.property(factOfType[type] as fc.Arbitrary<Fact>, (made) => {
        expect(made.type).toBe(type)
      }),
      { numRuns: 5 },
    )
  })
})
