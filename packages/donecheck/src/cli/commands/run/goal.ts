import { userInfo } from 'node:os'
import { given, UsageError } from '@donecheck/engine/internal/base'
import { goalControl, type GoalControl, type GoalReport } from '@donecheck/engine/internal/loop/compose'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { holderOf } from '@donecheck/engine/internal/system/process'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import {
  type Awaited,
  type GoalChange,
  type SubGoalBudget,
  nothingSpent,
  type GoalSpent,
  type GoalState,
} from '@donecheck/core/internal/goal'
import { checkName, namedChecks, partBudgetForm, readPartBudget } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { print } from '../../output/wrap.ts'
import { findRun } from '../../settings/recipe.ts'
import { withRun } from '../../settings/settings.ts'
import { oneLine, plural, seconds, thousands, type Line, line } from '@donecheck/core/internal/base'
import { changeWords, subGoalBudgetWords } from '@donecheck/core/internal/state/words'
import type { StoreFlags, Flags } from '../../options/flags.ts'

export type GoalFlags = StoreFlags &
  Flags<'goalId' | 'id' | 'under' | 'atMost' | 'reason' | 'run', never, 'until' | 'after'> & {
    readonly seconds?: number
    readonly process?: number
  }

export async function goalShowCommand(wanted: string, flags: GoalFlags, io: CliIo): Promise<number> {
  return withRun(wanted, flags, io, async ({ runId }, store) => {
    const report = await goalControl(store).show(runId)
    return print(io, flags.json, report, () => goalLines(report))
  })
}

export type GoalAction = 'set' | 'add' | 'edit' | 'pause' | 'resume' | 'clear' | 'wait'

export async function goalChangeCommand(
  action: GoalAction,
  wanted: string,
  words: readonly string[],
  flags: GoalFlags,
  io: CliIo,
): Promise<number> {
  return withRun(wanted, flags, io, async ({ runId }, store) => {
    const control = goalControl(store)
    const change = await changeOf(action, words, flags, { store, control, runId })
    const { goalId } = flags
    await control.change(runId, change, { by: userInfo().username, ...given({ goalId }) })
    const { hasStopped } = await control.show(runId)
    const when = hasStopped
      ? `, which has stopped: it takes effect with "donecheck resume ${runId}"`
      : ': it takes effect before its next turn'
    io.stderr.write(`kept for run ${runId}${when}\n`)
    return 0
  })
}

interface Target {
  readonly store: Store
  readonly control: GoalControl
  readonly runId: string
}

async function changeOf(
  action: GoalAction,
  words: readonly string[],
  flags: GoalFlags,
  target: Target,
): Promise<GoalChange> {
  const text = words.join(' ').trim()
  switch (action) {
    case 'set':
      return {
        kind: 'replaced',
        goalId: sortableIds(systemClock).next(),
        objective: needed(text, 'the goal'),
      }
    case 'add':
      return text === '' ? checksAdded(flags) : subGoalAdded(text, flags, target)
    case 'edit':
      return flags.id === undefined
        ? { kind: 'objective-edited', objective: needed(text, 'the goal') }
        : subGoalEdited(flags.id, text, flags)
    case 'pause':
      return { kind: 'paused', reason: flags.reason ?? `paused by ${userInfo().username}` }
    case 'resume':
      return { kind: 'resumed' }
    case 'clear':
      return { kind: 'cleared' }
    case 'wait':
      return waitBegan(flags, target)
  }
}

function needed(text: string, what: string): string {
  if (text === '') throw new UsageError(`${what} is empty; write it after the run`)
  return text
}

function subGoalEdited(id: string, title: string, { atMost }: GoalFlags): GoalChange {
  if (atMost === undefined) return { kind: 'sub-goal-edited', id, title: needed(title, 'the title') }
  const edited = { kind: 'sub-goal-edited' as const, id, budget: budgetOf(atMost) }
  return title === '' ? edited : { ...edited, title }
}

function budgetOf(atMost: string): SubGoalBudget {
  const budget = readPartBudget(atMost)
  if (budget === undefined) throw new UsageError(`--at-most takes ${partBudgetForm}, not "${atMost}"`)
  return budget
}

async function subGoalAdded(title: string, flags: GoalFlags, target: Target): Promise<GoalChange> {
  const { subGoals, unanswered } = await target.control.show(target.runId)
  const waiting = unanswered.flatMap(({ change }) => ('subGoal' in change ? [change.subGoal] : []))
  const id = flags.id ?? freeId([...subGoals, ...waiting].map((subGoal) => subGoal.id))
  const checks = namedChecks(checkName(id), flags.until ?? [])
  return {
    kind: 'sub-goal-added',
    subGoal: {
      id,
      title,
      parentId: flags.under ?? null,
      checks: checks.map(({ name }) => name),
      after: flags.after ?? [],
      isProposed: false,
      ...(flags.atMost === undefined ? {} : { budget: budgetOf(flags.atMost) }),
    },
    checks,
  }
}

function freeId(taken: readonly string[]): string {
  let number = taken.length + 1
  while (taken.includes(`part-${number}`)) number += 1
  return `part-${number}`
}

function checksAdded({ until = [] }: GoalFlags): GoalChange {
  if (until.length === 0)
    throw new UsageError('nothing was given; name a part of the goal, or a check with --until')
  return { kind: 'checks-added', checks: until.map((command) => ({ name: command, command })) }
}

const defaultWaitSeconds = 1800

async function waitBegan(flags: GoalFlags, { store, runId }: Target): Promise<GoalChange> {
  const { seconds, process, reason } = flags
  const run = flags.run === undefined ? undefined : await findRun(store, flags.run)
  if (process === undefined && run === undefined && seconds === undefined)
    throw new UsageError('say what the goal waits for: --process, --run, or --seconds')
  if (run === runId) throw new UsageError(`run ${run} cannot wait for itself; name another with --run`)
  return {
    kind: 'wait-began',
    awaited: awaitedOf(process, run),
    expiresAtMs: systemClock.nowMs() + (seconds ?? defaultWaitSeconds) * 1000,
    reason: reason ?? reasonOf(process, run, seconds),
  }
}

function awaitedOf(process: number | undefined, run: string | undefined): Awaited {
  if (process !== undefined) {
    const { host, processId, processStart } = holderOf(process, '')
    return { kind: 'process', host, processId, processStart }
  }
  return run === undefined ? { kind: 'time' } : { kind: 'run', runId: run }
}

function reasonOf(process: number | undefined, run: string | undefined, seconds = 0): string {
  if (process !== undefined) return `process ${process}`
  return run === undefined ? `${seconds} seconds` : `run ${run}`
}

const maxTextLength = 200

const marks = { closed: '✓', next: '→', open: '·', unverified: '?', 'over-budget': '$' } as const

export function goalLines({ objective, goal, subGoals, progress, unanswered }: GoalReport): readonly Line[] {
  const why = goal.reason === '' ? '' : `: ${oneLine(goal.reason, maxTextLength)}`
  const waits =
    goal.waiting === undefined ? '' : ` until ${new Date(goal.waiting.expiresAtMs).toISOString()} at most`
  const parts = subGoals.map(({ id, title, status, checks, isProposed, budget }): Line => {
    const decides = checks.length === 0 ? '' : `  [${oneLine(checks.join(', '), 60)}]`
    const own = isProposed ? ' (proposed by the agent)' : ''
    return line(
      status === 'closed' ? 'good' : 'plain',
      `  ${marks[status]} ${id}  ${oneLine(title, 80)}${own}${decides}${workText(goal, id, budget)}`,
    )
  })
  const share =
    progress.share === null ? '' : `  ${progress.closed} of ${plural(progress.leaves, 'part')} closed`
  return [
    line('strong', oneLine(objective.split('\n\n')[0] ?? '', maxTextLength)),
    line('plain', `${goal.status}${why}${waits}`),
    ...parts,
    ...(share === '' ? [] : [line('plain', share.trim())]),
    ...(goal.reportedProgress === ''
      ? []
      : [line('quiet', `it says: ${oneLine(goal.reportedProgress, maxTextLength)}`)]),
    line('quiet', spentText(goal.spent)),
    ...unanswered.map(({ by, change }) =>
      line('warning', `not seen yet, by ${oneLine(by, 40)}: ${changeWords(change)}`),
    ),
    line('quiet', `goal ${goal.id}`),
  ]
}

function workText({ spentOnSubGoals }: GoalState, id: string, budget: SubGoalBudget | undefined): string {
  const { turns, inputTokens, outputTokens } = spentOnSubGoals[id] ?? nothingSpent
  const words = [
    turns === 0 ? [] : `${plural(turns, 'turn')}, ${thousands(inputTokens + outputTokens)} tokens`,
    budget === undefined ? [] : `at most ${subGoalBudgetWords(budget)}`,
  ].flat()
  return words.length === 0 ? '' : `  (${words.join('; ')})`
}

function spentText({
  inputTokens,
  cachedInputTokens,
  outputTokens,
  costUsd,
  activeMs,
  turns,
}: GoalSpent): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${thousands(cachedInputTokens)} cached)`
  const cost = costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(2)}`
  return `${plural(turns, 'turn')}, ${thousands(inputTokens)} tokens in${cached}, ${thousands(outputTokens)} out, ${cost}, ${seconds(activeMs)}`
}
