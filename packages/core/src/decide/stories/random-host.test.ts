/** A host that performs every decision with results of chance, sleeps and wakes; for the properties in `random-walk.test.ts`. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentSchemaVersion, type Fact, type RunEvent } from '../../events/index.ts'
import { evolve, type RunState } from '../../state/index.ts'
import type { StopTransition, Transition } from '../../events/transitions/index.ts'
import type { VerdictStatus } from '../../events/verdicts/index.ts'
import {
  goalSet,
  interruptRequested,
  modelCalled,
  modelFailed,
  modelReplied,
  runResumed,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
  finalSummaryReplied,
  replyDelivered,
  replyJudged,
} from '../../testing/facts.ts'
import { runStarted, verdictOf, type RunChoices, standardJudgement } from '../../testing/index.ts'
import { costOf } from '../../budgets/index.ts'
import { decide } from '../decide.ts'
import { resumableOutcomes, turnStaysOpen } from '../stops/index.ts'
import type { Decision, Judgement } from '../decision.ts'
import { expectedPromptTokens } from '../../rules/caps/index.ts'
import {
  standardLoopDetection,
  standardStagnation,
  standardTokenBudget,
  type ReplyCheckSettings,
  type SoftSettings,
} from '../../events/settings/index.ts'
import { stagnation, tokenBudget } from '../../rules/soft-verifiers/index.ts'

/** What the world is like in a walk; chance alone would hardly ever be the same several times in a row. */
interface World {
  readonly gate: 'mixed' | 'closed'
  readonly checks: 'mixed' | 'broken' | 'red'
}

const small = fc.option(fc.nat({ max: 8 }))
/** Turns are always bounded: a walk whose checks never pass has no other end. */
const caps = fc.record({
  maxIterations: fc.nat({ max: 10 }),
  maxModelCalls: small,
  maxToolCalls: small,
  maxTokens: fc.option(fc.nat({ max: 60_000 })),
  maxCostUsd: fc.option(fc.double({ min: 0, max: 0.3, noNaN: true })),
  maxWallClockMs: fc.option(fc.nat({ max: 4000 })),
})
const verifier = fc.record({
  required: fc.boolean(),
  deterministic: fc.boolean(),
  reads: fc.constantFrom('workspace', 'answer'),
})
const easilyDiminishing = { ...standardTokenBudget, minContinuations: 1, diminishingTokens: 2000 }
const softTier: fc.Arbitrary<SoftSettings> = fc
  .record({
    patience: fc.integer({ min: 1, max: 4 }),
    budget: fc.option(fc.integer({ min: 500, max: 20_000 })),
  })
  .map(({ patience, budget }) => ({
    loopDetection: { ...standardLoopDetection, mode: 'off' },
    stagnation: { ...standardStagnation, patienceVerifications: patience },
    tokenBudget: budget === null ? null : { ...easilyDiminishing, mode: 'on', budgetTokens: budget },
  }))

const soft: fc.Arbitrary<SoftSettings | null> = fc.option(softTier)

const replyCheck: fc.Arbitrary<ReplyCheckSettings | null> = fc.option(
  fc.record({
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    trigger: fc.constantFrom('all' as const, { keywords: ['done'], negations: ['not'] }),
    onUndecided: fc.constantFrom('deliver' as const, 'withhold' as const),
    messagingTools: fc.constantFrom([], ['write_file']),
    streams: fc.constant(false),
    delivers: fc.boolean(),
    verifies: fc.constant(true),
  }),
)

const runChoices: fc.Arbitrary<RunChoices> = fc.record({
  caps,
  verifiers: fc
    .array(verifier, { maxLength: 3 })
    .map((all) => all.map((one, index) => ({ name: `check ${index}`, ...one }))),
  completeWhen: fc.constantFrom('checks', 'checks-and-claim'),
  verifyWhen: fc.constantFrom('on-change-or-claim', 'every-turn', 'on-change', 'on-claim'),
  verifyAtCap: fc.boolean(),
  providerWaits: fc.record({ providerMs: fc.nat({ max: 4000 }), limitMs: fc.nat({ max: 4000 }) }),
  workFolder: fc.constantFrom('/srv/tree', null),
  agent: fc.record({ sideEffects: fc.boolean() }),
  finalSummary: fc.boolean(),
  soft,
  replyCheck,
})
const worlds: fc.Arbitrary<World> = fc.record({
  gate: fc.constantFrom('mixed', 'mixed', 'closed'),
  checks: fc.constantFrom('mixed', 'mixed', 'broken', 'red'),
})
/** Everything that can end a run but the detectors of loops, which have walks of their own. */
export const walkJudgement: Judgement = {
  ...standardJudgement,
  rules: [...standardJudgement.rules, stagnation, tokenBudget],
}

/** The next of some numbers, over and over: all chance of a walk. */
type Dice = (sides: number) => number

function pick<Value>(dice: Dice, first: Value, ...rest: readonly Value[]): Value {
  return [first, ...rest][dice(rest.length + 1)] ?? first
}

/** The judge says something or is broken off; now and then the process dies while the reply is handed on. */
function factsOfReply(
  decision: Extract<Decision, { kind: 'judge-reply' | 'settle-reply' }>,
  dice: Dice,
): readonly Fact[] {
  if (decision.kind === 'settle-reply') {
    const settled: Fact = { type: 'reply-settled', ...decision.settled }
    const delivered = replyDelivered(pick(dice, 'delivered', 'failed', 'unknown'))
    return decision.settled.delivers ? [settled, delivered] : [settled]
  }
  const { attempt, maxAttempts } = decision
  const started: Fact = { type: 'reply-judging-started', attempt, maxAttempts }
  if (dice(20) === 0) return [started]
  const status = pick(dice, 'passed', 'failed', 'failed', 'error')
  return [started, replyJudged(attempt, { status, canRetry: dice(10) > 0 })]
}

/** Far more decisions than any run here may need. */
const maxDecisions = 3000
const maxInterrupts = 3
const maxResumes = 5

export interface Walk {
  readonly events: readonly RunEvent[]
  readonly states: readonly RunState[]
  /** Each decision with the number of events that it was made after. */
  readonly decisions: readonly { readonly after: number; readonly decision: Decision }[]
  readonly end: StopTransition
}

function diceOf(numbers: readonly number[]): Dice {
  let next = 0
  return (sides) => {
    const number = numbers[next % numbers.length] ?? 0
    next += 1
    return (number + next) % sides
  }
}

class Host {
  readonly events: RunEvent[] = []
  readonly states: RunState[] = []
  readonly dice: Dice
  readonly world: World
  interrupts = 0

  constructor(choices: RunChoices, world: World, dice: Dice) {
    this.dice = dice
    this.world = world
    this.tell(runStarted(choices))
    this.tell(goalSet())
  }

  get state(): RunState {
    const state = this.states.at(-1)
    if (state === undefined) throw new Error('the run has begun')
    return state
  }

  tell(fact: Fact): void {
    const sequence = this.events.length + 1
    const timeMs = (this.states.at(-1)?.nowMs ?? 1_000_000) + 10 + this.dice(40)
    const event: RunEvent = {
      schemaVersion: currentSchemaVersion,
      id: `event-${sequence}`,
      runId: 'r',
      sequence,
      timeMs,
      ...fact,
    }
    this.events.push(event)
    this.states.push(evolve(this.states.at(-1), event))
  }

  /** Now and then the user breaks in. */
  isInterrupted(): boolean {
    if (this.interrupts >= maxInterrupts || this.dice(40) > 0) return false
    this.interrupts += 1
    this.tell(interruptRequested())
    return true
  }

  perform(decision: Exclude<Decision, { kind: 'stop' }>): void {
    switch (decision.kind) {
      case 'observe':
        this.tell(workspaceObserved(`tree-${this.dice(4) === 0 ? this.dice(4) : 0}`))
        break
      case 'verify':
        this.verify(decision.trigger, decision.verifiers)
        break
      case 'call-model':
        this.callModel(decision)
        break
      case 'run-tools':
        this.runTools(decision.callIds)
        break
      case 'refuse-tools':
        for (const callId of decision.callIds) this.tell(toolRefused(callId, 'cap'))
        break
      case 'await':
      case 'change-goal':
        throw new Error('nothing here asks a goal to wait, and no part has a budget')
      case 'note':
        this.tell({ type: 'finding-noted', finding: decision.finding })
        break
      case 'continue':
        this.endTurn(decision.transition, decision.feedback)
        break
      case 'final-summary':
        this.finalSummary(decision)
        break
      case 'judge-reply':
      case 'settle-reply':
        for (const fact of factsOfReply(decision, this.dice)) this.tell(fact)
        break
      case 'wait':
        if (decision.on === 'provider') {
          const { for: awaited, untilMs, reason } = decision
          this.tell({ type: 'wait-started', for: awaited, untilMs, reason })
          this.tell({ type: 'wait-ended' })
          break
        }
        throw new Error(`a loop of its own never waits on ${decision.on}`)
    }
  }

  endTurn(transition: Transition, feedback?: string): void {
    this.tell({
      type: 'turn-ended',
      turn: this.state.turn,
      transition,
      ...(feedback === undefined ? {} : { feedback }),
    })
  }

  verify(trigger: Extract<Decision, { kind: 'verify' }>['trigger'], verifiers: readonly string[]): void {
    this.tell(verificationStarted(trigger, ...verifiers))
    for (const name of verifiers) {
      if (this.isInterrupted()) return
      const status = this.statusOfCheck()
      const canRetry = this.dice(15) > 0
      this.tell(
        verdictGiven(
          verdictOf(status, name, { canRetry, qualifiers: pick(this.dice, [], ['infrastructure']) }),
        ),
      )
    }
  }

  statusOfCheck(): VerdictStatus {
    if (this.world.checks === 'broken') return 'error'
    if (this.world.checks === 'red') return 'failed'
    return pick(this.dice, 'passed', 'failed', 'failed', 'error', 'skipped', 'pending')
  }

  callModel(decision: Extract<Decision, { kind: 'call-model' }>): void {
    const { dice } = this
    const inputTokens = dice(expectedPromptTokens(this.state) + 1)
    this.tell(modelCalled(decision.turn, decision.attempt))
    if (this.isInterrupted()) this.tell(modelFailed({ kind: 'interrupted' }))
    else if (dice(6) === 0)
      this.tell(modelFailed({ kind: dice(2) > 0 ? 'server-error' : 'cut-off', retryable: dice(5) > 0 }))
    else this.reply(inputTokens, decision.maxOutputTokens)
  }

  /** It answers, fails, or is broken off by the user. */
  finalSummary({ end, notice, maxOutputTokens }: Extract<Decision, { kind: 'final-summary' }>): void {
    const inputTokens = this.dice(expectedPromptTokens(this.state) + 1)
    this.tell({ type: 'final-summary-called', end, notice })
    const spent = this.spent(inputTokens, maxOutputTokens)
    const isLost = this.isInterrupted() || this.dice(3) === 0
    this.tell(
      isLost
        ? finalSummaryReplied('', { ...spent, problem: 'lost' })
        : finalSummaryReplied('Half is done.', spent),
    )
  }

  spent(inputTokens: number, maxOutputTokens: number) {
    const usage = { inputTokens, outputTokens: this.dice(maxOutputTokens + 1), estimated: false }
    const { prices } = this.state.agent
    return { usage, costUsd: prices === null ? null : costOf(usage, prices) }
  }

  reply(inputTokens: number, maxOutputTokens: number): void {
    const { dice } = this
    const { usage, costUsd } = this.spent(inputTokens, maxOutputTokens)
    // If no check can decide, only repeated claims reach the end.
    const calls = this.world.checks === 'broken' ? pick(dice, 0, 0, 0, 0, 1) : pick(dice, 0, 0, 1, 3, 6)
    const toolCalls = Array.from({ length: calls }, (_, index) => toolCall(`${this.events.length}.${index}`))
    const finish = toolCalls.length > 0 ? 'tool-calls' : pick(dice, 'stop', 'stop', 'length')
    this.tell(modelReplied({ text: pick(dice, 'Done.', ''), toolCalls, finish, usage, costUsd }))
  }

  runTools(callIds: readonly string[]): void {
    for (const callId of callIds) {
      if (this.isInterrupted()) return
      if (this.world.gate === 'closed' || this.dice(4) === 0)
        this.tell(toolRefused(callId, pick(this.dice, 'gate', 'approver', 'schema')))
      else {
        this.tell(toolCalled(callId, pick(this.dice, 'read', 'write', 'execute')))
        // The process dies here; the call's outcome is reported after the resume.
        if (this.isInterrupted()) return
        this.tell(toolReturned(callId, 'text', pick(this.dice, 'ok', 'error')))
      }
    }
  }

  stop(transition: StopTransition): void {
    const staysOpen = turnStaysOpen.includes(transition.reason)
    if (this.state.turnOpen && !staysOpen) this.endTurn(transition)
    this.tell({ type: 'run-stopped', transition })
  }

  wake(): void {
    this.tell(runResumed())
    const { phase } = this.state
    if (phase.kind !== 'acting') return
    for (const { call, announcedAs } of phase.pending)
      if (announcedAs !== undefined)
        this.tell(toolReturned(call.callId, 'look before you repeat it', 'unknown'))
  }
}

function walk(choices: RunChoices, world: World, numbers: readonly number[]): Walk {
  const host = new Host(choices, world, diceOf(numbers))
  const decisions: Walk['decisions'][number][] = []
  let resumes = host.dice(maxResumes)
  while (decisions.length < maxDecisions) {
    const decision = decide(host.state, walkJudgement)
    decisions.push({ after: host.events.length, decision })
    if (decision.kind !== 'stop') {
      host.perform(decision)
      continue
    }
    host.stop(decision.transition)
    if (resumes >= maxResumes || !resumableOutcomes.includes(decision.transition.outcome))
      return { events: host.events, states: host.states, decisions, end: decision.transition }
    resumes += 1
    host.wake()
  }
  throw new Error(
    `no end after ${maxDecisions} decisions; the last ones: ${JSON.stringify(decisions.slice(-5))}`,
  )
}

export const walks = fc
  .tuple(runChoices, worlds, fc.array(fc.nat({ max: 997 }), { minLength: 5, maxLength: 120 }))
  .map(([chosen, like, numbers]) => walk(chosen, like, numbers))

describe('given many walks', () => {
  it('they reach every end that the standard judgement knows', () => {
    const ends = fc.sample(walks, { numRuns: 2000, seed: 7 }).flatMap(({ events }) => events)
    const reasons = new Set(
      ends.flatMap((event) => (event.type === 'run-stopped' ? event.transition.reason : [])),
    )
    expect([...reasons].toSorted()).toEqual([
      'awaiting_approval',
      'blocked',
      'diminishing',
      'error',
      'hard_cap',
      'model_ended',
      'permission_denied',
      'stagnated',
      'task_complete',
      'user_interrupt',
      'verifier_failed_unrecoverable',
    ])
  })
})
