/** Random sequences of calls that loop often enough to reach every rule. */
import fc from 'fast-check'
import type { ToolUse } from '../records.ts'
import { endingNames, type EndingName } from './endings.ts'

export interface PlannedCall {
  readonly use: ToolUse
  /** Undefined: its end is never told. */
  readonly ending: EndingName | undefined
  readonly runId: string | undefined
  /** The end is told only after the next call was recorded. */
  readonly isLate: boolean
  /** The end comes under an id that no call has. */
  readonly isMisnamed: boolean
  /** `shared`: several calls have it. */
  readonly id: 'own' | 'none' | 'shared'
}

export interface Plan {
  readonly calls: readonly PlannedCall[]
  /** What the harness does with a call that is critical. */
  readonly vetoes: 'recorded' | 'unrecorded' | 'ignored'
}

const maxCalls = 80

const tools: readonly { readonly toolName: string; readonly params: readonly unknown[] }[] = [
  {
    toolName: 'read',
    params: [{ path: 'a' }, { path: 'b' }, { path: 'c' }, { path: 'a', line: 1 }, { line: 1, path: 'a' }],
  },
  { toolName: 'exec', params: [{ command: 'make' }, { command: 'make test' }, { command: 'ls' }] },
  {
    toolName: 'process',
    params: [
      { action: 'poll', id: 1 },
      { action: 'log', id: 1 },
      { action: 'kill', id: 1 },
    ],
  },
  { toolName: 'command_status', params: [{ id: 1 }, { id: 2 }] },
  {
    toolName: 'write',
    params: [
      { path: 'a', text: 'x' },
      { path: 'b', text: 'x' },
    ],
  },
  {
    toolName: 'message',
    params: [
      { action: 'send', to: 'x' },
      { action: 'poll', to: 'x' },
      { action: 'read', to: 'x' },
    ],
  },
  { toolName: 'sessions_send', params: [{ to: 'x' }] },
  { toolName: 'conversations_turn', params: [{ to: 'x' }] },
  { toolName: 'frobnicate', params: [{ x: 1 }, { x: 2 }, { x: 3 }] },
  // values that its text does not tell apart, or cannot write at all
  { toolName: 'odd', params: [{ a: undefined }, {}, { a: Number.NaN }, { a: 'NaN' }, { a: null }] },
  {
    toolName: 'odder',
    params: [{ a: new Date(0) }, { a: new Map([[1, 2]]) }, { a: /x/ }, { a: 5n }, { a: '5' }, [1]],
  },
]

const use: fc.Arbitrary<ToolUse> = fc.constantFrom(
  ...tools.flatMap(({ toolName, params }) => params.map((one) => ({ toolName, params: one }))),
)

/** The same few calls, each with one way to end, round and round. */
const stretch = fc
  .record({
    cycle: fc.oneof(
      { weight: 3, arbitrary: cycleOf(1) },
      { weight: 3, arbitrary: cycleOf(2) },
      { weight: 2, arbitrary: churn() },
      { weight: 1, arbitrary: cycleOf(4) },
    ),
    length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 8, max: 40 })),
    runIds: fc.oneof(
      { weight: 5, arbitrary: fc.constant(['a']) },
      {
        weight: 2,
        arbitrary: fc.array(fc.constantFrom('a', ' a ', 'b', '', ' ', undefined), {
          minLength: 1,
          maxLength: 2,
        }),
      },
    ),
    interruptedEvery: rarely(Infinity, 3, 7, 12),
    id: rarely<PlannedCall['id']>('own', 'none', 'shared'),
    isLate: rarely(false, true),
    isMisnamed: rarely(false, true),
  })
  .map(({ cycle, length, interruptedEvery, runIds, ...rest }) =>
    Array.from({ length }, (_, at): PlannedCall => {
      const call = at % interruptedEvery === 2 ? interruption : callAt(cycle, at)
      return { ...call, ...rest, runId: runIds[at % runIds.length] }
    }),
  )

/** Mostly the first. */
function rarely<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

type PlannedUse = Pick<PlannedCall, 'use' | 'ending'>

/** Another tool of which nothing is known. */
const interruption: PlannedUse = { use: { toolName: 'look', params: {} }, ending: undefined }

function cycleOf(period: number): fc.Arbitrary<readonly PlannedUse[]> {
  const ending = fc.oneof(
    { weight: 3, arbitrary: fc.constant<EndingName>('same') },
    { weight: 9, arbitrary: fc.constantFrom(...endingNames) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
  return fc.array(fc.record({ use, ending }), { minLength: period, maxLength: period })
}

/** One tool with several arguments and one end: the shape of churned arguments and of failures that do not care. */
function churn(): fc.Arbitrary<readonly PlannedUse[]> {
  const shapes = fc.constantFrom<readonly [string, EndingName]>(
    ['exec', 'command failed'],
    ['exec', 'command failed at another time'],
    ['exec', 'veto'],
    ['write', 'unchanged'],
    ['read', 'error'],
    ['frobnicate', 'unknown tool'],
  )
  return fc
    .tuple(shapes, fc.constantFrom(1, 2, 3, maxCalls))
    .map(([[toolName, ending], variants]) =>
      Array.from({ length: variants }, (_, at) => ({ use: { toolName, params: { variant: at } }, ending })),
    )
}

function callAt(cycle: readonly PlannedUse[], at: number): PlannedUse {
  return cycle[at % cycle.length] ?? { use: { toolName: 'read', params: {} }, ending: undefined }
}

export const plans: fc.Arbitrary<Plan> = fc.record({
  calls: fc
    .array(stretch, { minLength: 1, maxLength: 5 })
    .map((stretches) => stretches.flat().slice(0, maxCalls)),
  vetoes: fc.constantFrom('recorded', 'unrecorded', 'ignored'),
})
