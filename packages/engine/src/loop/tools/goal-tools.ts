/** Their requests are answered at the end of the turn. */
import { z } from 'zod'
import { drivesRequests, type GoalChange, type SubGoal } from '@donecheck/core/internal/goal'
import { fold, hasPassed, requiredChecks } from '@donecheck/core/internal/state'
import { goalView } from '@donecheck/core/internal/decide'
import type { Store } from '../../ports/store.ts'
import type { Tool, ToolContext, ToolOutcome } from '../../ports/loop.ts'
import { thisHolder } from '../../system/process/index.ts'
import { defineTool } from './define-tool.ts'

const short = z.string().trim().min(1).max(400)

/** Longest wait, in seconds. */
const maxWaitSeconds = 3600

/** @param nowMs Unix milliseconds */
export function goalTools(
  store: Pick<Store, 'read' | 'keepGoalRequest' | 'goalRequests'>,
  nowMs: () => number,
): readonly Tool[] {
  const ask: Ask = async (runId, changes, output) => {
    const goal = fold(await store.read(runId))?.goal
    if (goal === undefined) return { status: 'error', output: 'there is no goal' }
    const { id: goalId, answeredRequest } = goal
    const unanswered = await store.goalRequests(runId, answeredRequest)
    if (unanswered.length + changes.length > maxUnanswered)
      return { status: 'error', output: 'that is too much for one turn: work at the goal first' }
    for (const change of changes)
      await store.keepGoalRequest(runId, { goalId, by: drivesRequests, change }, answeredRequest)
    return { status: 'ok', output }
  }
  return [lookTool(store), ...askingTools(nowMs).map((asking) => asking(ask))]
}

const maxUnanswered = 40

type Ask = (runId: string, changes: readonly GoalChange[], output: string) => Promise<ToolOutcome>

function lookTool(store: Pick<Store, 'read'>): Tool {
  return defineTool({
    name: 'get_goal',
    description:
      'What is wanted now, its open parts, the checks that decide about them, and what is left of the budget.',
    effect: 'read',
    schema: z.strictObject({}),
    prepare: async () => ({
      kind: 'ready',
      summary: 'look at the goal',
      run: inRun(async ({ runId }) => ({ status: 'ok', output: await goalText(store, runId) })),
    }),
  })
}

interface AskingTool<Args> {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType<Args>
  readonly summary: (args: Args) => string
  readonly changes: (args: Args, callId: string) => readonly GoalChange[]
  readonly output: (args: Args) => string
}

function asking<Args>(tool: AskingTool<Args>): (ask: Ask) => Tool {
  const { name, description, schema, summary, changes, output } = tool
  return (ask) =>
    defineTool<Args>({
      ...{ name, description, effect: 'read', schema },
      prepare: async (args) => ({
        kind: 'ready',
        summary: summary(args),
        run: inRun(({ runId, callId }) => ask(runId, changes(args, callId), output(args))),
      }),
    })
}

const askingTools = (nowMs: () => number) => [
  asking({
    name: 'report_progress',
    description: 'Says in one sentence how far the work is, for the people who look. It decides nothing.',
    schema: z.strictObject({ progress: short }),
    summary: ({ progress }) => `report: ${progress}`,
    changes: ({ progress }) => [{ kind: 'progress-reported', progress }],
    output: () => 'noted',
  }),
  asking({
    name: 'propose_subgoals',
    description: 'Proposes parts of the goal, in their order. They are a plan: only checks close the goal.',
    schema: z.strictObject({ titles: z.array(short).min(1).max(20) }),
    summary: ({ titles }) => `propose ${titles.length} sub-goals`,
    changes: ({ titles }, callId) =>
      titles.map((title, index) => {
        return { kind: 'sub-goal-added', subGoal: proposed(callId, index, title), checks: [] }
      }),
    output: ({ titles }) => `${titles.length} proposed`,
  }),
  asking({
    name: 'request_completion',
    description:
      'Asks for the checks, once this turn is over. Where they pass the run ends; otherwise you are told what is missing.',
    schema: z.strictObject({}),
    summary: () => 'ask for the checks',
    changes: () => [{ kind: 'completion-requested' }],
    output: () => 'the checks are asked at the end of this turn',
  }),
  asking({
    name: 'report_blocked',
    description:
      'Says what stands in the way. The run ends as blocked once the same is reported in three turns in a row: go on trying meanwhile.',
    schema: z.strictObject({ blocker: short }),
    summary: ({ blocker }) => `report: ${blocker}`,
    changes: ({ blocker }) => [{ kind: 'blocker-reported', blocker }],
    output: () => 'noted; it counts in turns in a row',
  }),
  asking({
    name: 'wait_for',
    description:
      'Waits for a process or for a time, once this turn is over. No turn and no token is used meanwhile; you are told when it is over.',
    schema: z.strictObject({
      seconds: z.number().positive().max(maxWaitSeconds).describe('at most so long'),
      processId: z.number().int().positive().optional().describe('the process; without one the time alone'),
      reason: short,
    }),
    summary: ({ seconds, reason }) => `wait ${seconds} s: ${reason}`,
    changes: ({ seconds, processId, reason }) => {
      const { host } = thisHolder('')
      const ofProcess = { kind: 'process', host, processId: processId ?? 0, processStart: null } as const
      const awaited = processId === undefined ? ({ kind: 'time' } as const) : ofProcess
      return [{ kind: 'wait-began', awaited, expiresAtMs: nowMs() + seconds * 1000, reason }]
    },
    output: () => 'it waits once this turn is over',
  }),
]

function inRun(work: (context: ToolContext) => Promise<ToolOutcome>) {
  return async (_: AbortSignal, context?: ToolContext): Promise<ToolOutcome> =>
    context === undefined ? { status: 'error', output: 'there is no run' } : work(context)
}

/** Unique because it contains the call id. */
function proposed(callId: string, index: number, title: string): SubGoal {
  const name = callId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(-30)
  return {
    id: `plan-${name}-${index + 1}`.replace(/-+/g, '-').slice(0, 40),
    title,
    parentId: null,
    checks: [],
    after: [],
    isProposed: true,
  }
}

async function goalText(store: Pick<Store, 'read'>, runId: string): Promise<string> {
  const state = fold(await store.read(runId))
  if (state === undefined) return 'there is no goal'
  const { objective, open, closed, left } = goalView(state)
  const passed = hasPassed(state)
  const lines = open.map(({ id, title, checks, isNext }) => {
    const decides = checks
      .map((check) => `${check}: ${passed(check) ? 'passes' : 'does not pass'}`)
      .join(', ')
    return `- ${id}${isNext ? ' (next)' : ''}: ${title}${decides === '' ? '' : ` [${decides}]`}`
  })
  const checks = requiredChecks(state).map(
    (name) => `- ${name}: ${passed(name) ? 'passes' : 'does not pass yet'}`,
  )
  return [
    objective,
    ...(lines.length === 0 ? [] : [`Open parts (${closed} closed):`, ...lines]),
    ...(checks.length === 0 ? [] : ['Checks that decide:', ...checks]),
    `Left: ${left.turns ?? 'any number of'} turns, ${left.tokens ?? 'any number of'} tokens.`,
  ].join('\n')
}
