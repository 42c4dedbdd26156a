/** Tools by which a model speaks of its goal. They ask as anybody else does: the run answers at the end of the turn. */
import { z } from 'zod'
import { drivesRequests, type GoalChange, type SubGoal } from '@donecheck/core/goal'
import { fold, hasPassed } from '@donecheck/core/state'
import { goalView } from '@donecheck/core/decide'
import type { Store } from '../../ports/store.ts'
import type { Tool, ToolContext, ToolOutcome } from '../../ports/loop.ts'
import { defineTool } from './define-tool.ts'

const short = z.string().trim().min(1).max(400)

/** Seconds that a drive may wait at most. */
const maxWaitSeconds = 3600

/**
 * For a run whose store can be reached.
 * @param nowMs milliseconds since the Unix epoch
 */
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
  return [
    lookTool(store),
    progressTool(ask),
    planTool(ask),
    completionTool(ask),
    blockerTool(ask),
    waitTool(ask, nowMs),
  ]
}

/** Requests that wait for the end of a turn: more is no plan. */
const maxUnanswered = 40

/** Keeps requests for the goal as it is now, and gives what the model reads. */
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

function progressTool(ask: Ask): Tool {
  return defineTool({
    name: 'report_progress',
    description: 'Says in one sentence how far the work is, for the people who look. It decides nothing.',
    effect: 'read',
    schema: z.strictObject({ progress: short }),
    prepare: async ({ progress }) => ({
      kind: 'ready',
      summary: `report: ${progress}`,
      run: inRun(({ runId }) => ask(runId, [{ kind: 'progress-reported', progress }], 'noted')),
    }),
  })
}

function completionTool(ask: Ask): Tool {
  return defineTool({
    name: 'request_completion',
    description:
      'Asks for the checks, once this turn is over. Where they pass the run ends; otherwise you are told what is missing.',
    effect: 'read',
    schema: z.strictObject({}),
    prepare: async () => ({
      kind: 'ready',
      summary: 'ask for the checks',
      run: inRun(({ runId }) =>
        ask(runId, [{ kind: 'completion-requested' }], 'the checks are asked at the end of this turn'),
      ),
    }),
  })
}

function planTool(ask: Ask): Tool {
  return defineTool({
    name: 'propose_subgoals',
    description: 'Proposes parts of the goal, in their order. They are a plan: only checks close the goal.',
    effect: 'read',
    schema: z.strictObject({ titles: z.array(short).min(1).max(20) }),
    prepare: async ({ titles }) => ({
      kind: 'ready',
      summary: `propose ${titles.length} sub-goals`,
      run: inRun(({ runId, callId }) => {
        const parts = titles.map((title, index) => proposed(callId, index, title))
        const changes = parts.map((subGoal): GoalChange => ({ kind: 'sub-goal-added', subGoal, checks: [] }))
        return ask(runId, changes, `${titles.length} proposed`)
      }),
    }),
  })
}

function blockerTool(ask: Ask): Tool {
  return defineTool({
    name: 'report_blocked',
    description:
      'Says what stands in the way. The run ends as blocked once the same is reported in three turns in a row: go on trying meanwhile.',
    effect: 'read',
    schema: z.strictObject({ blocker: short }),
    prepare: async ({ blocker }) => ({
      kind: 'ready',
      summary: `report: ${blocker}`,
      run: inRun(({ runId }) =>
        ask(runId, [{ kind: 'blocker-reported', blocker }], 'noted; it counts in turns in a row'),
      ),
    }),
  })
}

function waitTool(ask: Ask, nowMs: () => number): Tool {
  return defineTool({
    name: 'wait_for',
    description:
      'Waits for a process or for a time, once this turn is over. No turn and no token is used meanwhile; you are told when it is over.',
    effect: 'read',
    schema: z.strictObject({
      seconds: z.number().positive().max(maxWaitSeconds).describe('at most so long'),
      processId: z.number().int().positive().optional().describe('the process; without one the time alone'),
      reason: short,
    }),
    prepare: async ({ seconds, processId, reason }) => ({
      kind: 'ready',
      summary: `wait ${seconds} s: ${reason}`,
      run: inRun(({ runId }) =>
        ask(
          runId,
          [
            {
              kind: 'wait-began',
              awaited:
                processId === undefined
                  ? { kind: 'time' }
                  : { kind: 'process', processId, processStart: null },
              expiresAtMs: nowMs() + seconds * 1000,
              reason,
            },
          ],
          'it waits once this turn is over',
        ),
      ),
    }),
  })
}

/** Outside of a run there is no goal to speak of. */
function inRun(work: (context: ToolContext) => Promise<ToolOutcome>) {
  return async (_: AbortSignal, context?: ToolContext): Promise<ToolOutcome> =>
    context === undefined ? { status: 'error', output: 'there is no run' } : work(context)
}

/** Unique without looking at others: the call's own name is. */
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
    weight: 1,
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
  const checks = state.settings.verifiers
    .filter(({ required, role }) => required && role === 'check')
    .map(({ name }) => `- ${name}: ${passed(name) ? 'passes' : 'does not pass yet'}`)
  return [
    objective,
    ...(lines.length === 0 ? [] : [`Open parts (${closed} closed):`, ...lines]),
    ...(checks.length === 0 ? [] : ['Checks that decide:', ...checks]),
    `Left: ${left.turns ?? 'any number of'} turns, ${left.tokens ?? 'any number of'} tokens.`,
  ].join('\n')
}
