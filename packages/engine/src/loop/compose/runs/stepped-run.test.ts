import { test, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { AgentFailure } from '@donecheck/core/internal/events'
import type { Gate } from '../../../ports/gate.ts'
import type { Store } from '../../../ports/store.ts'
import { storeApprover, storeHuman } from '../../../policy/approvals/index.ts'
import { humanApproves } from '../../../checks/verify/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { countingIds, manualClock, tool, type ManualClock } from '../../../testing/index.ts'
import { createAgentLoop, type AgentLoop } from '../compose.ts'
import { scriptedAgent, type ScriptedStep } from '../../agents/index.ts'
import type { StepEnd, SteppedRun } from './agent-run.ts'

const runId = 'run-1'
const busy: AgentFailure = {
  kind: 'rate-limited',
  message: 'slow down',
  retryable: true,
  retryAfterMs: 90_000,
}
const yes = { approved: true, by: 'Mia', reason: 'fine', answeredAtMs: 1 }
const no = { ...yes, approved: false, reason: 'not now' }

interface Scene {
  readonly script: readonly ScriptedStep[]
  /** A person decides whether the work is done. */
  readonly isHumanAsked?: boolean
}

/** State that outlives a process, and how a process creates its loop from it. */
interface Place {
  readonly store: Store
  readonly clock: ManualClock
  readonly loop: () => AgentLoop
}

const askedFor: Gate = {
  check: async ({ tool: name }) =>
    name === 'ask'
      ? { kind: 'prompt', reason: 'a person decides', label: 'approval_required', matches: [] }
      : { kind: 'allow', reason: 'a test' },
}

/** @param inOneGo the clock advances itself, and questions are answered at once */
function placeOf({ script, isHumanAsked = false }: Scene, inOneGo = false): Place {
  const store = memoryStore()
  const clock = manualClock(1_000_000, { autoAdvance: inOneGo })
  const ids = countingIds('event')
  const onWaiting = ({ id }: { readonly id: string }) => void answer(store, id)
  const asking = { store, intervalMs: 1, ...(inOneGo ? { onWaiting } : {}) }
  const rest = tool('rest', async () => {
    const change = { kind: 'wait-began', reason: 'a build', awaited: { kind: 'time' } } as const
    const request = { goalId: null, by: 'Mia', change: { ...change, expiresAtMs: clock.nowMs() + 60_000 } }
    await store.keepGoalRequest(runId, request)
    return { status: 'ok', output: 'asked for a rest' }
  })
  const loop = () =>
    createAgentLoop({
      agent: scriptedAgent(script),
      tools: [tool('ask', () => ({ status: 'ok', output: 'done as asked' })), rest],
      gate: askedFor,
      approver: storeApprover(asking),
      softVerifiers: { loopDetection: false, stagnation: false },
      hardCap: { wallClockMs: 3_600_000 },
      ...{ store, clock, ids },
      hardVerifiers: isHumanAsked
        ? [humanApproves({ question: 'Is it done?', human: storeHuman({ store }), reads: 'answer' })]
        : [],
    })
  return { store, clock, loop }
}

/** Deterministic: every third answer is a no. */
async function answer(store: Store, id: string): Promise<void> {
  await store.answerQuestion(id, Number.parseInt(id.at(-1) ?? '0', 16) % 3 === 0 ? no : yes)
}

/** Ends the wait while the run is closed, for another loop to open it. */
async function comesAbout(
  { store, clock }: Place,
  end: Extract<StepEnd, { kind: 'waiting' }>,
): Promise<void> {
  if (end.for.kind === 'time') clock.advance(end.for.untilMs - clock.nowMs())
  if (end.for.kind === 'question') await answer(store, end.for.id)
}

const beginning = { kind: 'new', task: 'do it', as: { runId } } as const
const elsewhere = { waits: 'elsewhere' } as const

async function untilItEnds(run: SteppedRun): Promise<StepEnd> {
  let end = await run.step()
  while (end.kind === 'stepped') end = await run.step()
  return end
}

/** How each process left the run. */
async function stepThrough(place: Place): Promise<readonly StepEnd[]> {
  const ends: StepEnd[] = []
  while (ends.at(-1)?.kind !== 'stopped') {
    const isBegun = (await place.store.read(runId)).length > 0
    const run = await place.loop().open(isBegun ? { kind: 'continue', runId } : beginning, elsewhere)
    const end = await untilItEnds(run)
    ends.push(end)
    await run.close()
    if (end.kind === 'waiting') await comesAbout(place, end)
    if (ends.length > 50) throw new Error('the run goes on for ever')
  }
  return ends
}

const typesOf = async (store: Store) => (await store.read(runId)).map(({ type }) => type)

const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  fc.constantFrom('Done!', ''),
  fc
    .array(fc.constantFrom('ask', 'rest', 'unheard'), { minLength: 1, maxLength: 3 })
    .map((names) => ({ tools: names.map((name) => ({ tool: name, args: {} })) })),
  fc.constant({ fails: [busy, busy], then: 'Back.' } as const),
)

describe('given any run that waits', () => {
  test.prop([fc.array(step, { minLength: 1, maxLength: 6 })], { numRuns: 60 })(
    'then it records step by step what it records in one go',
    async (script) => {
      const whole = placeOf({ script }, true)
      await whole.loop().run('do it', { runId })
      const stepped = placeOf({ script })
      await stepThrough(stepped)
      expect(await stepped.store.read(runId)).toEqual(await whole.store.read(runId))
    },
  )
})

const asks: ScriptedStep = { tools: [{ tool: 'ask', args: {} }] }

describe('given a run that is driven from outside', () => {
  it('asks a person once, however often it comes back to the question', async () => {
    const place = placeOf({ script: [asks, 'Done.'] })
    const first = await place.loop().open(beginning, elsewhere)
    const end = await untilItEnds(first)
    await first.close()
    const again = await place.loop().open({ kind: 'continue', runId }, elsewhere)
    expect(await again.step()).toEqual(end)
    await again.close()
    expect((await typesOf(place.store)).filter((type) => type === 'approval-requested')).toHaveLength(1)
  })

  it('does not count the days that an answer takes', async () => {
    const place = placeOf({ script: [asks, 'Done.'] })
    const run = await place.loop().open(beginning, elsewhere)
    const end = await untilItEnds(run)
    await run.close()
    place.clock.advance(3 * 86_400_000)
    if (end.kind === 'waiting' && end.for.kind === 'question')
      await place.store.answerQuestion(end.for.id, yes)
    await stepThrough(place)
    const events = await place.store.read(runId)
    expect(events.find(({ type }) => type === 'tool-returned')).toMatchObject({ status: 'ok' })
    expect(events.at(-1)).toMatchObject({ transition: { reason: 'model_ended' } })
  })
})
