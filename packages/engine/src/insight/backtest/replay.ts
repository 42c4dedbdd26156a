import { type Bound, bounds, type Caps, capTable } from '@donecheck/core/internal/budgets'
import type { SoftSettings, TokenBudgetSettings } from '@donecheck/core/internal/events/settings'
import { tokenBudgetStep } from '@donecheck/core/internal/rules/soft-verifiers'
import { newTracker } from '@donecheck/core/internal/state'
import {
  type Alarm,
  capWatch,
  loopWatch,
  replayedBounds,
  stagnationWatch,
  type Watch,
  type Watcher,
} from './watches.ts'
import {
  costsOf,
  dataSetOf,
  isCut,
  type RecordedRun,
  type ReplyStep,
  type Step,
  tokensOf,
} from '../recordings/index.ts'

export interface StopPolicy {
  readonly name: string
  readonly caps: Caps
  readonly soft: SoftSettings
}

/** Returns the most severe alarm of a step; caps win ties over detectors, as in a run. */
export function watcherOf({ name, caps, soft }: StopPolicy): Watcher {
  const { loopDetection, stagnation, tokenBudget } = soft
  return {
    name,
    begin: () =>
      allOf([
        capWatch(caps),
        ...(loopDetection.mode === 'on' || Object.values(loopDetection.detectors).includes('on')
          ? [loopWatch(loopDetection)]
          : []),
        ...(stagnation.mode === 'on' ? [stagnationWatch(stagnation)] : []),
        ...(tokenBudget?.mode === 'on' ? [tokenBudgetWatch(tokenBudget)] : []),
      ]),
  }
}

const gravity: Readonly<Record<Alarm['level'], number>> = { warn: 1, refuse: 2, stop: 3 }

function allOf(watches: readonly Watch[]): Watch {
  return {
    observe(step) {
      let gravest: Alarm | undefined
      for (const watch of watches) {
        const alarm = watch.observe(step)
        if (alarm !== undefined && (gravest === undefined || gravity[alarm.level] > gravity[gravest.level]))
          gravest = alarm
      }
      return gravest
    },
  }
}

export function ignoredBounds({ caps }: StopPolicy): readonly Bound[] {
  return bounds.filter((bound) => !replayedBounds.includes(bound) && caps[capTable[bound].field] !== null)
}

/** Applies when an agent that ended its turn was continued; silent once output tokens are unknown. */
export function tokenBudgetWatch(settings: TokenBudgetSettings): Watch {
  let tracker = newTracker(0)
  let outputTokens = 0
  let before: ReplyStep | undefined
  return {
    observe(step) {
      if (step.kind !== 'reply') return undefined
      const claim = before?.calls === 0 && Number.isFinite(outputTokens)
      const input = { budgetTokens: settings.budgetTokens, turnTokens: outputTokens, nowMs: 0 }
      const asked = claim ? tokenBudgetStep(tracker, input, settings) : undefined
      tracker = asked?.tracker ?? tracker
      before = step
      outputTokens += step.usage?.outputTokens ?? Number.NaN
      const { decision } = asked ?? {}
      const isEnd = decision?.kind === 'stop' && decision.completion?.isDiminishing === true
      return isEnd && hasOpenChecks(step) ? { level: 'stop', rule: 'token_budget', before: true } : undefined
    },
  }
}

function hasOpenChecks({ checked }: ReplyStep): boolean {
  return checked?.verdicts.some(({ status }) => status === 'failed' || status === 'error') ?? false
}

export interface ReplayedRun {
  readonly id: string
  readonly dataSet: string
  /** Whether the run reached its goal according to its record; null if unknown. */
  readonly resolved: boolean | null
  /** A limit ended the record, so what would follow is unknown. */
  readonly isCut: boolean
  readonly turns: number
  readonly calls: number
  /** Prompt and output of each turn; undefined unless the source reports every turn. */
  readonly tokensByTurn: readonly number[] | undefined
  /** Dollars; undefined if unknown. */
  readonly costsByTurn: readonly number[] | undefined
  readonly replays: ReadonlyMap<string, Replay>
}

export function replayRun(
  run: RecordedRun,
  steps: readonly Step[],
  watchers: readonly Watcher[],
): ReplayedRun {
  const costs = costsOf(run)
  return {
    id: run.id,
    dataSet: dataSetOf(run),
    resolved: run.outcome.resolved,
    isCut: isCut(run),
    turns: run.turns.length,
    calls: steps.filter(({ kind }) => kind === 'call').length,
    tokensByTurn: tokensOf(run.turns),
    costsByTurn: costs.length === 0 ? undefined : costs,
    replays: new Map(watchers.map((watcher) => [watcher.name, replay(watcher, steps)])),
  }
}

/** @throws {TypeError} if the run was not replayed with that policy */
export function replayOf({ replays }: ReplayedRun, policy: string): Replay {
  const found = replays.get(policy)
  if (found === undefined) throw new TypeError(`the runs were not replayed with '${policy}'`)
  return found
}

export interface End {
  readonly rule: string
  /** Calls executed until then, without refused ones. */
  readonly callsRun: number
  /** Last turn whose tokens were spent; -1 if none. */
  readonly turn: number
}

export interface Replay {
  readonly stop: End | undefined
  readonly warnings: ReadonlyMap<string, number>
  readonly refusals: ReadonlyMap<string, number>
}

/** Stops at the first stop; continues after a refusal as if the call had run. */
export function replay(watcher: Watcher, steps: readonly Step[]): Replay {
  const watch = watcher.begin()
  const counts = { warn: new Map<string, number>(), refuse: new Map<string, number>() }
  const results = { warnings: counts.warn, refusals: counts.refuse }
  let [callsSeen, callsRefused] = [0, 0]
  for (const step of steps) {
    if (step.kind === 'call') callsSeen += 1
    const alarm = watch.observe(step)
    if (alarm === undefined) continue
    const { level, rule, before = false } = alarm
    const isBeforeCall = step.kind === 'call' && before
    const callsRun = callsSeen - callsRefused - (isBeforeCall ? 1 : 0)
    const turn = step.kind === 'reply' && before ? step.turn - 1 : step.turn
    if (level === 'stop') return { stop: { rule, callsRun, turn }, ...results }
    if (level === 'refuse') callsRefused += 1
    counts[level].set(rule, (counts[level].get(rule) ?? 0) + 1)
  }
  return { stop: undefined, ...results }
}
