/**
 * hermes-agent, the guardrails over tool calls with hard stops on (its default where nobody watches).
 *
 * Left open by the descriptions, chosen here: a turn lasts until the next message to the agent; "block at 5" means that after
 * five counted results the next such call is refused and not counted; warnings come with every further failure, notices once a
 * streak; pollers are exempt from the streak and from cycles of themselves alone; a successful edit, shell command or
 * program is a mutation and clears the failures and unchanged reads; a result that is not known equals nothing; its
 * tools are carried over to other names by `tool-kinds.ts`. The history of 64 calls is never the limit: five rounds of four are 20.
 * One table in print has a failing shell with other arguments each time halted at 8, the closer description says never: never.
 */
import type { Alarm, CallStep, Detector, Watch } from '../detector.ts'
import { equalRun } from './equal-run.ts'
import { rounds } from './rounds.ts'
import { callKey, hasFailed } from './outcome.ts'
import { kindOf, type ToolKind } from './tool-kinds.ts'

const warnAt = { exactFailure: 2, toolFailure: 3, unchangedRead: 2, streak: 3, rounds: 3 }
const actAt = { exactFailure: 5, toolFailure: 8, unchangedRead: 5, streak: 5, rounds: 5 }
const maxPeriodLength = 4

/** Calls of these in one turn, after which each further one is refused. */
const maxCalls: ReadonlyMap<string, number> = new Map([
  ['web_search', 50],
  ['delegate_task', 50],
])

/** Their failures are warned of but never end a run by the tool's name alone. */
const neverHalted = /^(process|browser_navigate|web_extract)$/i

export const hermes: Detector = { name: 'hermes', readsResults: true, begin }

function begin(): Watch {
  let turn = freshTurn()
  return {
    observe(step) {
      if (step.kind === 'message') turn = freshTurn()
      if (step.kind !== 'call') return undefined
      const refusal = refusalOf(turn, step)
      if (refusal !== undefined) return { level: 'refuse', rule: refusal, before: true }
      const call = { ...step, key: callKey(step), toolKind: kindOf(step), failed: hasFailed(step) }
      return gravest([...failureAlarms(turn, call), ...readAlarms(turn, call), ...repeatAlarms(turn, call)])
    },
  }
}

interface Call extends CallStep {
  readonly key: string
  readonly toolKind: ToolKind
  readonly failed: boolean
}

interface Turn {
  readonly calls: Map<string, number>
  readonly failures: Map<string, number>
  readonly toolFailures: Map<string, number>
  readonly reads: Map<string, { readonly digest: string; readonly count: number }>
  readonly streak: ReturnType<typeof equalRun>
  readonly cycles: ReturnType<typeof rounds>
  /** Makes each unknown result another one. */
  unknown: number
}

function freshTurn(): Turn {
  return {
    calls: new Map(),
    failures: new Map(),
    toolFailures: new Map(),
    reads: new Map(),
    streak: equalRun(),
    cycles: rounds(maxPeriodLength),
    unknown: 0,
  }
}

function refusalOf(turn: Turn, step: CallStep): string | undefined {
  const key = callKey(step)
  if (countUp(turn.calls, step.tool) > (maxCalls.get(step.tool) ?? Infinity)) return 'too_many_calls'
  if ((turn.failures.get(key) ?? 0) >= actAt.exactFailure) return 'exact_failure'
  return (turn.reads.get(key)?.count ?? 0) >= actAt.unchangedRead ? 'idempotent_no_progress' : undefined
}

function failureAlarms(turn: Turn, { key, tool, toolKind, failed }: Call): readonly Alarm[] {
  if (!failed) {
    turn.failures.delete(key)
    turn.toolFailures.delete(tool)
    if (toolKind === 'edit' || toolKind === 'shell' || toolKind === 'code') forgetFailures(turn)
    return []
  }
  const isHalted = toolKind !== 'shell' && toolKind !== 'code' && !neverHalted.test(tool)
  const exact = countUp(turn.failures, key)
  const byTool = countUp(turn.toolFailures, tool)
  const isTooMany = isHalted && byTool >= actAt.toolFailure
  return [
    ...(exact >= warnAt.exactFailure ? [warning('exact_failure')] : []),
    ...(isTooMany ? [halt('same_tool_failure')] : []),
    ...(byTool >= warnAt.toolFailure ? [warning('same_tool_failure')] : []),
  ]
}

/** A mutation makes every failing call a new experiment. */
function forgetFailures({ failures, toolFailures, reads }: Turn): void {
  failures.clear()
  toolFailures.clear()
  reads.clear()
}

function readAlarms({ reads }: Turn, { key, toolKind, resultDigest, failed }: Call): readonly Alarm[] {
  if (toolKind !== 'read' || resultDigest === null || failed) return []
  const known = reads.get(key)
  const count = known?.digest === resultDigest ? known.count + 1 : 1
  reads.set(key, { digest: resultDigest, count })
  return count >= warnAt.unchangedRead ? [warning('idempotent_no_progress')] : []
}

function repeatAlarms(turn: Turn, { key, toolKind, resultDigest }: Call): readonly Alarm[] {
  turn.unknown += 1
  const pair = `${key} ${resultDigest ?? `unknown ${turn.unknown}`}`
  const streak = turn.streak.next(pair)
  return [
    ...(toolKind === 'poll' ? [] : atCount(streak, warnAt.streak, actAt.streak, 'identical_streak')),
    ...atCount(turn.cycles.next(pair), warnAt.rounds, actAt.rounds, 'cycle'),
  ]
}

function atCount(count: number, noticeAt: number, haltAt: number, rule: string): readonly Alarm[] {
  if (count >= haltAt) return [halt(rule)]
  return count === noticeAt ? [warning(rule)] : []
}

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}

function warning(rule: string): Alarm {
  return { level: 'warn', rule }
}

function halt(rule: string): Alarm {
  return { level: 'stop', rule }
}

function gravest(alarms: readonly Alarm[]): Alarm | undefined {
  return alarms.find(({ level }) => level === 'stop') ?? alarms[0]
}
