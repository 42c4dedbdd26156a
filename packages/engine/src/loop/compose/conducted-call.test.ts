/** Another process conducts the sub-runs: the run is closed, and continues with their results and usage. */
import { test, fc } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { fold, totalTokens } from '@donecheck/core/internal/state'
import type { Fact, RunEvent } from '@donecheck/core/internal/events'
import type { ConductedState, SubRunGrant, Tool } from '../../ports/loop.ts'
import { memoryStore } from '../../system/store/index.ts'
import { countingIds, manualClock } from '../../testing/index.ts'
import { createAgentLoop, type AgentLoopOptions } from './compose.ts'
import { scriptedAgent, type ScriptedStep } from '../agents/index.ts'
import type { StepEnd, SteppedRun } from './runs/agent-run.ts'

const runId = 'run-1'
const elsewhere = { waits: 'elsewhere' } as const
const working = { text: 'still at it', finish: 'length' } as const

const parts = z.object({ parts: z.number() })

/** The conductor of sub-runs, and successive processes that have the run. */
class Place {
  readonly store = memoryStore()
  readonly clock = manualClock(1_000_000, { autoAdvance: true })
  readonly #ids = countingIds('event')
  readonly handedOver = new Map<string, SubRunGrant>()
  readonly interrupted: string[] = []
  readonly over = new Map<string, string>()
  reports = 0
  isAway = false
  options: Partial<AgentLoopOptions> = {}

  get tool(): Tool {
    const conduct = async (grant: SubRunGrant): Promise<ConductedState> => {
      if (this.isAway) throw new Error('the fleet does not answer')
      this.handedOver.set(grant.runId, grant)
      const message = this.over.get(grant.runId)
      return message === undefined ? { kind: 'at-work' } : { kind: 'over', message }
    }
    return {
      name: 'spread',
      description: 'hands parts on',
      parameters: {},
      effect: 'execute',
      prepare: async (args) => ({
        kind: 'sub-runs',
        summary: 'spread',
        shares: Array.from({ length: parts.parse(args).parts }, () => ({})),
        conduct,
        interrupt: async (childRunId) => {
          this.interrupted.push(childRunId)
          this.over.set(childRunId, 'it was told to end')
        },
        report: async (ended) => {
          this.reports += 1
          return { status: 'ok', output: ended.map(({ end }) => `${end.outcome}: ${end.message}`).join('\n') }
        },
      }),
    }
  }

  loop(script: readonly ScriptedStep[], more: Partial<AgentLoopOptions> = {}) {
    const { store, clock } = this
    return createAgentLoop({
      agent: scriptedAgent(script),
      tools: [this.tool],
      gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
      softVerifiers: { loopDetection: false, stagnation: false },
      ...{ store, clock, ids: this.#ids },
      ...this.options,
      ...more,
    })
  }

  /** Runs in its own process until it waits or stops. */
  async goOn(script: readonly ScriptedStep[], more: Partial<AgentLoopOptions> = {}): Promise<StepEnd> {
    const isBegun = (await this.store.read(runId)).length > 0
    const run = await this.loop(script, more).open(
      isBegun ? { kind: 'continue', runId } : { kind: 'new', task: 'do it', as: { runId } },
      elsewhere,
    )
    const end = await untilItEnds(run)
    await run.close()
    return end
  }

  /** Another process performs a full run under the grant. */
  async conduct(childRunId: string, turns = 2): Promise<void> {
    const grant = this.handedOver.get(childRunId)
    if (grant === undefined) throw new TypeError(`${childRunId} was not handed over`)
    const script = [...Array.from({ length: turns - 1 }, () => working), 'Found.']
    const loop = this.loop(script, { tools: [], agent: scriptedAgent(script) })
    const run = await loop.open({ kind: 'new', task: 'a part', as: grant })
    await untilItEnds(run)
    await run.close()
    this.over.set(childRunId, '')
  }

  async events<Type extends Fact['type']>(type: Type) {
    const events = await this.store.read(runId)
    return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type)
  }

  async children(): Promise<readonly string[]> {
    return (await this.events('sub-run-started')).map(({ childRunId }) => childRunId)
  }
}

async function untilItEnds(run: SteppedRun): Promise<StepEnd> {
  let end = await run.step()
  while (end.kind === 'stepped') end = await run.step()
  return end
}

const spreading = (count: number): ScriptedStep => ({ tools: [{ tool: 'spread', args: { parts: count } }] })

const wave = fc.integer({ min: 1, max: 4 })

describe('given any waves of sub-runs, in any order, by any number of processes', () => {
  test.prop(
    [
      fc.array(wave, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 6, max: 40 }),
      fc.infiniteStream(fc.nat()),
    ],
    { numRuns: 60 },
  )(
    'they and their parent stay within its budget, and each is booked once',
    async (waves, iterations, dice) => {
      const place = new Place()
      place.options = { hardCap: { iterations, tokens: 100_000 } }
      const steps: readonly ScriptedStep[] = [...waves.map((count) => spreading(count)), 'Done.']
      let end = await place.goOn(steps)
      while (end.kind === 'waiting') {
        const open = (await place.children()).filter((child) => !place.over.has(child))
        const child = open[(dice.next().value ?? 0) % open.length]
        if (child !== undefined) await place.conduct(child, 1 + ((dice.next().value ?? 0) % 4))
        end = await place.goOn(steps)
      }
      const runs = await Promise.all((await place.store.list()).map(({ runId: id }) => place.store.read(id)))
      const all = runs.flatMap((events) => fold(events)?.consumption ?? [])
      const whole = fold(await place.store.read(runId))
      const own = runs.flat().filter(({ type }) => type === 'model-called').length
      expect(own).toBeLessThanOrEqual(iterations)
      expect(whole?.consumption.modelCalls).toBe(own)
      expect(totalTokens(whole?.consumption ?? { inputTokens: 0, outputTokens: 0 })).toBeLessThanOrEqual(
        100_000,
      )
      expect(all).toHaveLength(1 + (await place.events('sub-run-ended')).length)
    },
  )
})
