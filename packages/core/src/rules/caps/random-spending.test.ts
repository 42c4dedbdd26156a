/**
 * A host that spends by chance, as much as it is ever allowed to, with sub-runs and theirs: no sequence of events makes a
 * run exceed a cap that can be reserved (I9), nor a parent together with its children.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentSchemaVersion, type Fact } from '../../events/index.ts'
import { estimateTokens, type TokenUsage, amounts, capTable, type Caps, costOf } from '../../budgets/index.ts'
import { evolve, type RunState } from '../../state/index.ts'
import {
  budgetAdded,
  goalSet,
  modelCalled,
  modelFailed,
  modelReplied,
  runResumed,
  subRunEnded,
  subRunStarted,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
} from '../../testing/facts.ts'
import { noCaps, runStarted, standardJudgement } from '../../testing/index.ts'
import { decide, type Decision } from '../../decide/index.ts'
import { capsLeft, allocate, deadlineOf } from './reserve.ts'
import { expectedPromptTokens, spendingOf, toolCallCountOf } from './amounts.ts'

type Dice = (sides: number) => number

const maxDecisions = 400
const maxGenerations = 2

class Spender {
  state: RunState
  readonly dice: Dice
  readonly generation: number
  announced = 0
  refused = 0
  exceeded: string | undefined
  wrappedUp = false

  constructor(caps: Caps, dice: Dice, generation: number) {
    this.dice = dice
    this.generation = generation
    const header = {
      schemaVersion: currentSchemaVersion,
      id: '1',
      runId: 'r',
      sequence: 1,
      timeMs: 0,
    } as const
    const agent = {
      prices: { inputPerMillionTokens: 1, outputPerMillionTokens: 10, cachedInputPerMillionTokens: 0.1 },
    }
    this.state = evolve(undefined, {
      ...header,
      ...runStarted({ caps, agent, finalSummary: dice(2) === 0 }),
    })
    this.tell(goalSet())
  }

  tell(fact: Fact, elapsedMs = 0): void {
    const { sequence, nowMs } = this.state
    const header = { schemaVersion: currentSchemaVersion, id: 'e', runId: 'r' } as const
    this.state = evolve(this.state, { ...header, sequence: sequence + 1, timeMs: nowMs + elapsedMs, ...fact })
    this.exceeded ??= exceededBy(this.state)
  }

  /** Until the caps end it. */
  spend(): void {
    for (let decisions = 0; decisions < maxDecisions; decisions += 1) {
      const decision = decide(this.state, standardJudgement)
      if (decision.kind === 'stop') return
      this.perform(decision)
    }
  }

  perform(decision: Exclude<Decision, { kind: 'stop' }>): void {
    if (decision.kind === 'observe') this.tell({ type: 'workspace-observed', fingerprint: 'same' })
    else if (decision.kind === 'note') this.tell({ type: 'finding-noted', finding: decision.finding })
    else if (decision.kind === 'continue')
      this.tell({ type: 'turn-ended', turn: this.state.turn, transition: decision.transition })
    else if (decision.kind === 'call-model') this.callModel(decision)
    else if (decision.kind === 'run-tools') this.runTools(decision.callIds)
    else if (decision.kind === 'refuse-tools')
      decision.callIds.forEach((callId) => this.tell(toolRefused(callId, 'cap')))
    else if (decision.kind === 'final-summary') this.finalSummary(decision)
    else if (decision.kind === 'wait' && decision.on === 'provider')
      this.tell({ type: 'wait-ended' }, decision.untilMs - this.state.nowMs)
    else throw new Error(`this host has no part for ${decision.kind}`)
  }

  callModel({ turn, attempt, maxOutputTokens }: Extract<Decision, { kind: 'call-model' }>): void {
    const prompt = expectedPromptTokens(this.state)
    this.tell(modelCalled(turn, attempt))
    this.announced += 1
    const takesMs = this.effectMs()
    const luck = this.dice(10)
    if (luck === 0) this.refused += 1
    if (luck < 2) this.tell(modelFailed({ kind: luck === 0 ? 'network' : 'cut-off' }), takesMs)
    else {
      const usage = this.usage(prompt, maxOutputTokens)
      const toolCalls = Array.from({ length: this.dice(5) }, (_, index) =>
        toolCall(`${this.state.sequence}.${index}`, this.dice(2) === 0 ? 'web_search' : 'delegate'),
      )
      const finish = toolCalls.length > 0 ? 'tool-calls' : 'length'
      const { prices } = this.state.agent
      const costUsd = prices === null ? null : costOf(usage, prices)
      this.tell(modelReplied({ usage, costUsd, toolCalls, finish }), takesMs)
    }
  }

  finalSummary({ end, notice, maxOutputTokens }: Extract<Decision, { kind: 'final-summary' }>): void {
    const { agent, promptTokens } = this.state
    const window = agent.contextWindowTokens - agent.maxOutputTokens
    const prompt = Math.min(window, promptTokens + estimateTokens(notice))
    this.tell({ type: 'final-summary-called', end, notice })
    this.announced += 1
    this.wrappedUp = true
    const usage = this.usage(prompt, maxOutputTokens)
    const costUsd = agent.prices === null ? null : costOf(usage, agent.prices)
    this.tell({ type: 'final-summary-replied', text: 'half of it', droppedCalls: 0, usage, costUsd })
  }

  /** Often all that there may be. */
  upTo(most: number): number {
    return this.dice(3) === 0 ? most : this.dice(most + 1)
  }

  usage(prompt: number, maxOutputTokens: number): TokenUsage {
    const inputTokens = this.upTo(prompt)
    const outputTokens = this.upTo(maxOutputTokens)
    return {
      inputTokens,
      outputTokens,
      ...(this.dice(2) === 0 ? { cachedInputTokens: this.upTo(inputTokens) } : {}),
      ...(this.dice(2) === 0 ? { reasoningTokens: this.upTo(outputTokens) } : {}),
      estimated: false,
    }
  }

  /** An effect ends before its deadline. */
  effectMs(): number {
    const deadlineMs = deadlineOf(this.state) ?? Infinity
    return this.upTo(Math.max(0, Math.min(500, deadlineMs - this.state.nowMs)))
  }

  /** As in the loop: after a sub-run the rest of a batch is decided again. */
  runTools(callIds: readonly string[]): void {
    const { started } = this.state.subRuns
    for (const callId of callIds) if (this.state.subRuns.started === started) this.runTool(callId)
  }

  runTool(callId: string): void {
    const { phase } = this.state
    const entry =
      phase.kind === 'acting' ? phase.pending.find(({ call }) => call.callId === callId) : undefined
    const tool = entry?.call.tool ?? 'unknown'
    this.tell(toolCalled(callId, 'read', tool))
    if (tool === 'delegate' && this.generation < maxGenerations) this.delegate(callId, 1 + this.dice(3))
    else this.tell({ type: 'finding-noted', finding: quiet }, this.effectMs())
    this.tell(toolReturned(callId, 'ok'))
  }

  delegate(callId: string, among: number): void {
    const bound = this.dice(2) === 0 ? {} : { maxIterations: 1 + this.dice(3) }
    const children: (readonly [string, Spender])[] = []
    for (let left = among; left > 0; left -= 1) {
      const allocated = allocate(this.state, bound, undefined, left)
      if (allocated.kind === 'too-little') break
      const childRunId = `child-${this.state.sequence}`
      this.tell(subRunStarted(childRunId, callId, allocated.caps))
      children.push([childRunId, new Spender(allocated.caps, this.dice, this.generation + 1)])
    }
    const beganMs = this.state.nowMs
    for (const [childRunId, child] of children) {
      child.spend()
      this.exceeded ??= child.exceeded
      const { consumption, subRuns } = child.state
      const isLost = this.dice(6) === 0 || Object.keys(subRuns.lost).length > 0
      const restMs = Math.max(0, beganMs + consumption.activeMs - this.state.nowMs)
      this.tell(subRunEnded(childRunId, isLost ? null : consumption), restMs)
    }
  }
}

const quiet = { rule: 'nothing', level: 'note', message: '', numbers: {}, basedOn: [] } as const

function exceededBy(state: RunState): string | undefined {
  const { caps } = state.settings
  const over = amounts.find((name) => {
    const limit = caps[capTable[name].field]
    return limit !== null && spendingOf(state, name) > limit + 1e-9
  })
  const tool = Object.entries(caps.maxCallsPerTool).find(
    ([name, limit]) => toolCallCountOf(state, name) > limit,
  )
  return over ?? tool?.[0]
}

function diceOf(numbers: readonly number[]): Dice {
  let next = 0
  return (sides) => {
    const number = numbers[next % numbers.length] ?? 0
    next += 1
    return (number + next * 7) % sides
  }
}

const maybe = (max: number) => fc.option(fc.nat({ max }), { freq: 1 })
const caps: fc.Arbitrary<Caps> = fc.record({
  maxIterations: fc.nat({ max: 12 }),
  maxModelCalls: maybe(14),
  maxToolCalls: maybe(20),
  maxCallsPerTool: fc.constantFrom<Caps['maxCallsPerTool'][]>(
    {},
    { web_search: 3 },
    { web_search: 1, delegate: 2 },
  ),
  maxTokens: maybe(90_000),
  maxCostUsd: fc.option(fc.double({ min: 0, max: 0.4, noNaN: true }), { freq: 1 }),
  maxWallClockMs: maybe(5000),
  maxBlockedStops: maybe(6),
})
const spenders = fc
  .tuple(caps, fc.array(fc.nat({ max: 100_003 }), { minLength: 5, maxLength: 80 }))
  .map(([limits, numbers]) => {
    const spender = new Spender(limits, diceOf(numbers), 0)
    spender.spend()
    return spender
  })

const bounds = { numRuns: 250, interruptAfterTimeLimit: 8000 }

describe('given a run that spends as much as it may, with sub-runs', () => {
  it('exceeds none of its caps at any time, and neither does a child', () => {
    fc.assert(
      fc.property(spenders, ({ exceeded }) => {
        expect(exceeded).toBeUndefined()
      }),
      bounds,
    )
  })

  it('announces no more calls than the cap allows, but for those that the provider refused', () => {
    fc.assert(
      fc.property(spenders, ({ announced, refused, state }) => {
        expect(announced - refused).toBeLessThanOrEqual(state.settings.caps.maxModelCalls ?? Infinity)
      }),
      bounds,
    )
  })

  it('allocates no more than is left, and leaves the next step to the parent', () => {
    fc.assert(
      fc.property(spenders, ({ state }) => {
        const left = capsLeft(state)
        for (const name of amounts) {
          const { field } = capTable[name]
          const [limit, bound] = [state.settings.caps[field], left[field]]
          if (limit === null) expect(bound).toBeNull()
          else expect(bound).toBeLessThanOrEqual(Math.max(0, limit - spendingOf(state, name)))
        }
      }),
      bounds,
    )
  })

  it('exceeds none after a top-up either', () => {
    fc.assert(
      fc.property(spenders, fc.nat({ max: 3 }), fc.nat({ max: 20_000 }), (spender, iterations, tokens) => {
        spender.tell(runResumed())
        spender.tell(budgetAdded({ iterations, tokens }))
        spender.spend()
        expect(spender.exceeded).toBeUndefined()
      }),
      bounds,
    )
  })

  it('does reach its caps, children and theirs: the chance is not too tame', () => {
    const runs = fc.sample(spenders, { numRuns: 300, seed: 3 })
    expect(runs.filter(({ state }) => state.subRuns.started > 0).length).toBeGreaterThan(50)
    expect(runs.filter(({ state }) => Object.keys(state.subRuns.lost).length > 0).length).toBeGreaterThan(5)
    expect(runs.filter(({ refused }) => refused > 0).length).toBeGreaterThan(50)
    expect(runs.filter(({ wrappedUp }) => wrappedUp).length).toBeGreaterThan(20)
    expect(exceededBy(new Spender(noCaps, diceOf([1]), 0).state)).toBeUndefined()
  })
})
