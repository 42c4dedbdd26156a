/** What a detector did to a set of runs, counted. Shares are of 1; undefined where there is nothing to divide by. */
import type { MeasuredRun } from './measured-run.ts'
import type { End, Replay } from './replay.ts'

/** `stop`: only a stop ends a run. `veto`: the first refusal counts as the end as well (the worst case of a refusal). */
export type EndLevel = 'stop' | 'veto'

/** A resolved run that would have been ended. */
export interface Kill {
  readonly run: MeasuredRun
  readonly end: End
  /** Share of the calls of the run that came after. */
  readonly cutShare: number
}

/** A run ends in a loop where at least this many last calls brought nothing new. */
export const loopCalls = 5

export interface Figures {
  readonly resolved: number
  readonly kills: readonly Kill[]
  readonly killedShare: number | undefined
  readonly newestResolved: number
  readonly newestKills: number
  readonly unresolved: number
  readonly ended: number
  readonly endedShare: number | undefined
  readonly unresolvedCalls: number
  /** Calls that did not run: those after the end, and those that were refused, also where the run was not ended. */
  readonly savedCalls: number
  readonly savedCallsShare: number | undefined
  /** Unresolved runs whose tokens are known for every turn. */
  readonly tokenRuns: number
  readonly savedTokensShare: number | undefined
  /** Calls of the stretch that ran until its alarm, of the ended unresolved runs that stood in one. */
  readonly delays: readonly number[]
  /** Unresolved runs whose last calls, at least `loopCalls` of them, brought nothing new. */
  readonly looping: number
  readonly loopingEnded: number
  /** Warnings and refusals in resolved runs, per 1,000 of their calls and of their steps (replies, calls, messages). */
  readonly warningsPerThousandCalls: number | undefined
  readonly warningsPerThousandSteps: number | undefined
  readonly refusalsPerThousandCalls: number | undefined
}

export interface FiguresOptions {
  readonly level?: EndLevel
  /** Only ends and findings of this rule. The first end of a run decides which rule it belongs to. */
  readonly rule?: string
}

interface FigureScope {
  readonly level: EndLevel
  readonly rule: string | undefined
}

export function figuresOf(
  runs: readonly MeasuredRun[],
  detector: string,
  { level = 'stop', rule }: FiguresOptions = {},
): Figures {
  const replayOf = (run: MeasuredRun) => mustHave(run.replays.get(detector), detector)
  const endOf = (run: MeasuredRun) => {
    const end = replayOf(run)[level]
    return rule === undefined || end?.rule === rule ? end : undefined
  }
  const resolved = runs.filter((run) => run.resolved === true)
  const unresolved = runs.filter((run) => run.resolved === false)
  const kills = resolved.flatMap((run) => killOf(run, endOf(run)))
  const newest = resolved.filter(({ isNewest }) => isNewest)
  const benign = { calls: sum(resolved, ({ calls }) => calls), steps: sum(resolved, ({ steps }) => steps) }
  const found = (kind: 'warnings' | 'refusals') => sum(resolved, (run) => countOf(replayOf(run)[kind], rule))
  return {
    resolved: resolved.length,
    kills,
    killedShare: share(kills.length, resolved.length),
    newestResolved: newest.length,
    newestKills: kills.filter(({ run }) => run.isNewest).length,
    ...savings(unresolved, endOf),
    ...savedCalls(unresolved, (run) => notRun(run, replayOf(run), { level, rule })),
    warningsPerThousandCalls: share(1000 * found('warnings'), benign.calls),
    warningsPerThousandSteps: share(1000 * found('warnings'), benign.steps),
    refusalsPerThousandCalls: share(1000 * found('refusals'), benign.calls),
  }
}

function savings(unresolved: readonly MeasuredRun[], endOf: (run: MeasuredRun) => End | undefined) {
  const ended = unresolved.filter((run) => endOf(run) !== undefined)
  const told = unresolved.filter(({ tokensByTurn }) => tokensByTurn !== undefined)
  const looping = unresolved.filter(endsInLoop)
  const savedTokens = sum(told, (run) => tokensAfter(run, endOf(run)))
  return {
    unresolved: unresolved.length,
    ended: ended.length,
    endedShare: share(ended.length, unresolved.length),
    tokenRuns: told.length,
    savedTokensShare: share(savedTokens, sum(told, tokensOf)),
    delays: ended.flatMap((run) => delayOf(run, endOf(run))),
    looping: looping.length,
    loopingEnded: looping.filter((run) => endOf(run) !== undefined).length,
  }
}

function savedCalls(unresolved: readonly MeasuredRun[], notRunOf: (run: MeasuredRun) => number) {
  const unresolvedCalls = sum(unresolved, ({ calls }) => calls)
  const saved = sum(unresolved, notRunOf)
  return { unresolvedCalls, savedCalls: saved, savedCallsShare: share(saved, unresolvedCalls) }
}

/** What was refused before an end is in its calls; of a run that goes on to its own end the refused calls alone are saved. */
function notRun({ calls }: MeasuredRun, replay: Replay, { level, rule }: FigureScope): number {
  const end = replay[level]
  if (end === undefined) return countOf(replay.refusals, rule)
  return rule === undefined || end.rule === rule ? calls - end.callsRun : 0
}

function killOf(run: MeasuredRun, end: End | undefined): readonly Kill[] {
  if (end === undefined) return []
  return [{ run, end, cutShare: run.calls === 0 ? 0 : (run.calls - end.callsRun) / run.calls }]
}

function delayOf({ onsets }: MeasuredRun, end: End | undefined): readonly number[] {
  const onset = end === undefined ? undefined : onsets[end.atCall]
  return end === undefined || onset === undefined ? [] : [end.callsRun - onset]
}

function endsInLoop({ calls, onsets }: MeasuredRun): boolean {
  const onset = onsets.at(-1)
  return onset !== undefined && calls - onset >= loopCalls
}

function tokensOf({ tokensByTurn = [] }: MeasuredRun): number {
  return sum(tokensByTurn, (tokens) => tokens)
}

function tokensAfter({ tokensByTurn = [] }: MeasuredRun, end: End | undefined): number {
  return end === undefined ? 0 : sum(tokensByTurn.slice(end.turn + 1), (tokens) => tokens)
}

function countOf(counts: ReadonlyMap<string, number>, rule: string | undefined): number {
  return rule === undefined ? sum([...counts.values()], (count) => count) : (counts.get(rule) ?? 0)
}

/** Every rule that gave an alarm anywhere in the runs, sorted. */
export function rulesOf(runs: readonly MeasuredRun[], detector: string): readonly string[] {
  const rules = runs.flatMap(({ replays }) => {
    const found = mustHave(replays.get(detector), detector)
    return [found.stop?.rule, found.veto?.rule, ...found.warnings.keys(), ...found.refusals.keys()]
  })
  return [...new Set(rules)].filter((rule) => rule !== undefined).sort()
}

function mustHave(found: Replay | undefined, detector: string): Replay {
  if (found === undefined) throw new TypeError(`the runs were not measured with the detector '${detector}'`)
  return found
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0)
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}
