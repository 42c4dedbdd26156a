/** A run as the product decides it: the same `decide` and `evolve`, while what comes back is drawn. */
import { standardLoopDetection, standardStagnation } from '@donecheck/core/internal/events/settings'
import { loopDetection, refusedCalls } from '@donecheck/core/internal/rules/detectors'
import { decide, sameFamilyJudge, type Decision, type Judgement } from '@donecheck/core/internal/decide'
import type { AgentFailure, Fact } from '@donecheck/core/internal/events'
import { hardCaps } from '@donecheck/core/internal/rules/caps'
import { deterministicVeto } from '@donecheck/core/internal/decide/aggregate'
import { englishPrompts } from '@donecheck/core/internal/decide/prompts'
import { stagnation } from '@donecheck/core/internal/rules/soft-verifiers'
import { evolve, fold, type RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { failedVerdict, passedVerdict, runStarted } from '@donecheck/core/testing'

/** What is drawn: as the agent, the tools and the checks of this run would have it. */
export interface Replies {
  readonly text: string
  readonly promptTokens: number
  readonly outputTokens: number
  /** Absent: it claims to be done. */
  readonly call?: { readonly edits: boolean; readonly fails: boolean }
}

export interface World {
  reply(): Replies
  checkPasses(): boolean
}

/** What a worker does before the model is asked, or before the run is over. */
export interface Work {
  decisions: number
  toolCalls: number
  checks: number
  /** Where it is known how long all of it takes. */
  readonly takesMs?: number
}

export type Pause =
  | { readonly kind: 'asks'; readonly delayMs: number; readonly work: Work }
  | { readonly kind: 'stopped'; readonly transition: StopTransition; readonly work: Work }

const judgement: Judgement = {
  rules: [...hardCaps, sameFamilyJudge, refusedCalls(), loopDetection, stagnation],
  aggregate: deterministicVeto,
  prompts: englishPrompts,
}

const soft = {
  loopDetection: standardLoopDetection,
  stagnation: standardStagnation,
  tokenBudget: null,
} as const

export class DecidedRun {
  #state: RunState
  #edits = 0
  #call: Replies['call']
  #due: Extract<Decision, { kind: 'call-model' }> | undefined
  readonly #world: World

  constructor(world: World, from: RunState) {
    this.#world = world
    this.#state = from
  }

  get state(): RunState {
    return this.#state
  }

  /** Decides and performs until the agent is to be asked, or it is over. */
  goOn(): Pause {
    const work: Work = { decisions: 0, toolCalls: 0, checks: 0 }
    let delayMs = 0
    for (;;) {
      const decision = decide(this.#state, judgement)
      work.decisions += 1
      if (decision.kind === 'call-model') {
        this.#due = decision
        return { kind: 'asks', delayMs, work }
      }
      if (decision.kind === 'wait' && decision.on === 'provider') {
        const { for: awaited, untilMs, reason } = decision
        delayMs = untilMs - this.#state.nowMs
        this.#tell({ type: 'wait-started', for: awaited, untilMs, reason }, { type: 'wait-ended' })
        continue
      }
      if (decision.kind === 'stop') return { kind: 'stopped', transition: decision.transition, work }
      this.#perform(decision, work)
    }
  }

  /** The agent is asked and answers. */
  answered(): Replies {
    const { turn } = this.#asked()
    const reply = this.#world.reply()
    const { call, text, promptTokens, outputTokens } = reply
    const id = `call-${turn}`
    const tool = call?.edits === true ? 'edit_file' : 'shell'
    this.#tell({
      type: 'model-replied',
      text,
      finish: call === undefined ? 'stop' : 'tool-calls',
      toolCalls: call === undefined ? [] : [{ callId: id, tool, args: { text }, argsDigest: text }],
      usage: { inputTokens: promptTokens, outputTokens, estimated: false },
      costUsd: null,
    })
    this.#call = call
    return reply
  }

  /** The agent is asked and fails. */
  failed(failure: AgentFailure): void {
    this.#asked()
    this.#tell({ type: 'model-failed', failure, usage: null, costUsd: null })
  }

  /** The agent is asked, and the worker dies before the answer is recorded; another one goes on. */
  lost(): void {
    this.#asked()
    this.#tell({ type: 'run-resumed', holder: 'another worker' })
    const failure = { kind: 'interrupted', message: 'the process died', retryable: true } as const
    this.#tell({ type: 'model-failed', failure, usage: null, costUsd: null })
  }

  #asked(): { turn: number } {
    const due = this.#due ?? decide(this.#state, judgement)
    if (due.kind !== 'call-model') throw new TypeError(`the agent is asked although ${due.kind} is due`)
    this.#due = undefined
    const { turn, attempt } = due
    this.#tell({ type: 'model-called', turn, attempt })
    return { turn }
  }

  #perform(decision: Decision, work: Work): void {
    switch (decision.kind) {
      case 'observe':
        this.#tell({ type: 'workspace-observed', fingerprint: `tree ${this.#edits}` })
        break
      case 'verify':
        this.#verify(decision, work)
        break
      case 'run-tools':
        for (const callId of decision.callIds) this.#runTool(callId)
        work.toolCalls += decision.callIds.length
        break
      case 'note':
        this.#tell({ type: 'finding-noted', finding: decision.finding })
        break
      case 'continue':
        this.#continue(decision)
        break
      default:
        throw new TypeError(`the simulator does not draw what comes of ${decision.kind}`)
    }
  }

  #verify({ trigger, verifiers }: Extract<Decision, { kind: 'verify' }>, work: Work): void {
    this.#tell({ type: 'verification-started', trigger, verifiers })
    for (const verifier of verifiers) {
      const passes = trigger === 'claim' && this.#world.checkPasses()
      this.#tell({
        type: 'verdict-given',
        verdict: passes ? passedVerdict(verifier) : failedVerdict(verifier),
      })
      work.checks += 1
    }
  }

  #runTool(callId: string): void {
    const { edits = false, fails = false } = this.#call ?? {}
    const tool = edits ? 'edit_file' : 'shell'
    this.#tell({ type: 'tool-called', callId, tool, effect: edits ? 'write' : 'execute' })
    if (edits && !fails) this.#edits += 1
    const output = `what ${callId} printed`
    this.#tell({ type: 'tool-returned', callId, status: fails ? 'error' : 'ok', output, outcome: output })
  }

  #continue({ transition, feedback }: Extract<Decision, { kind: 'continue' }>): void {
    const { turn } = this.#state
    this.#tell({
      type: 'turn-ended',
      turn,
      transition,
      ...(feedback === undefined ? {} : { feedback }),
    })
  }

  #tell(...facts: readonly Fact[]): void {
    for (const fact of facts) this.#add(fact)
  }

  #add(fact: Fact): void {
    const { runId, sequence, nowMs } = this.#state
    const header = { schemaVersion: 1, id: '', runId, sequence: sequence + 1, timeMs: nowMs + 1 } as const
    this.#state = evolve(this.#state, { ...header, ...fact })
  }
}

/** A run with a check, without caps but for the turns, with the soft tier as it is by default. */
export function beginning(providerMs: number): RunState {
  const caps = { maxIterations: 150 }
  const started = runStarted({
    verifiers: ['npm test'],
    caps,
    soft,
    providerWaits: { providerMs, limitMs: 0 },
  })
  const header = { schemaVersion: 1, id: '', runId: 'simulated', timeMs: 0 } as const
  const state = fold([
    { ...header, sequence: 1, ...started },
    { ...header, sequence: 2, type: 'goal-set', task: 'make the tests pass' },
  ])
  if (state === undefined) throw new TypeError('a run that was begun has a state')
  return state
}
