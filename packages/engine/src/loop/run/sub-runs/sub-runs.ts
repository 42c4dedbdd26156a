/** What a tool may do to the run that calls it: the only way to a sub-run, so that each is announced and booked (I1, I4, I9). */
import { capsLeft, carve } from '@donecheck/core/caps'
import { statusesOf } from '@donecheck/core/goal'
import { hasPassed, type RunState } from '@donecheck/core/state'
import { problemOfFact, type NewEvent } from '@donecheck/core/events'
import { given, messageOf } from '../../../base/index.ts'
import type {
  SubRunEnd,
  SubRunGrant,
  SubRunRequest,
  SubRunResult,
  SubRunShare,
  ToolContext,
} from '../../../ports/loop.ts'
import type { Session } from '../session/session.ts'
import { readSubRunOutcome } from './sub-run-record.ts'
import type { World } from '../session/world.ts'

interface SubRunDoor {
  readonly context: ToolContext
  /** The call is over: what it left open is closed, and nothing more is heard of it. */
  close(): Promise<void>
}

/** A door for one tool call; sub-runs may be at work at the same time, their facts are told one after the other. */
export function subRunDoor(callId: string, session: Session, world: World): SubRunDoor {
  const inOrder = queue()
  let isOpen = true
  return {
    context: {
      runId: session.runId,
      callId,
      budgetLeft: () => capsLeft(session.state),
      async subRun(request) {
        const begun = await inOrder(() => {
          if (!isOpen) throw new TypeError('the tool call is over: it cannot start a sub-run any more')
          return announce(request, callId, session, world)
        })
        if (begun.kind !== 'announced') return begun
        const end = await runToEnd(request, begun.grant, world)
        await inOrder(async () => {
          if (isOpen) await session.tell({ type: 'sub-run-ended', childRunId: begun.grant.runId, ...end })
        })
        return { kind: 'ended', runId: begun.grant.runId, end }
      },
    },
    close: () =>
      inOrder(async () => {
        isOpen = false
        const { open } = session.state.subRuns
        const left = lostSubRuns(open, 'the tool call that started it was over before it ended')
        if (left.length > 0) await session.tell(...left)
      }),
  }
}

/** Nobody will hear of their end: all that was carved for them counts as spent. */
export function lostSubRuns(open: RunState['subRuns']['open'], message: string): readonly NewEvent[] {
  const end = { spent: null, outcome: null, message }
  return open.map(({ childRunId }) => ({ type: 'sub-run-ended', childRunId, ...end }))
}

export type Announced =
  | { readonly kind: 'announced'; readonly grant: SubRunGrant }
  | Exclude<SubRunResult, { readonly kind: 'ended' }>

/** @param among where somebody else conducts it: how many sub-runs share what is left, of which this is the first */
export async function announce(
  { atMost, subGoalId }: SubRunShare,
  callId: string,
  session: Session,
  world: World,
  among?: number,
): Promise<Announced> {
  if (subGoalId !== undefined && !openParts(session.state).includes(subGoalId)) {
    const open = openParts(session.state).join(', ')
    return { kind: 'no-such-part', message: `no part "${subGoalId}" is open; open parts: ${open || 'none'}` }
  }
  const carved = carve(session.state, atMost, subGoalId, among)
  if (carved.kind === 'too-little') return carved
  const { caps } = carved
  const childRunId = world.ids.next()
  await session.tell({
    type: 'sub-run-started',
    childRunId,
    callId,
    carved: caps,
    ...given({ subGoalId }),
    ...(among === undefined ? {} : { elsewhere: true as const }),
  })
  const parent = { runId: session.runId, callId }
  const { secrets } = session
  return { kind: 'announced', grant: { runId: childRunId, parent, caps, store: world.store, secrets } }
}

/** Parts of the goal that are not closed. */
function openParts(state: RunState): readonly string[] {
  const statuses = statusesOf(state.goal, hasPassed(state))
  return state.goal.subGoals.flatMap(({ id }) => (statuses.get(id) === 'closed' ? [] : id))
}

/** What a sub-run says of its spending is taken only where it can be recorded. */
async function runToEnd(request: SubRunRequest, grant: SubRunGrant, world: World): Promise<SubRunEnd> {
  try {
    const { spent, outcome, message } = await request.work(grant)
    const end = { spent, outcome, message }
    const problem = problemOfFact({ type: 'sub-run-ended', childRunId: grant.runId, ...end })
    if (problem === undefined) return end
    return { spent: null, outcome: null, message: `it answered nonsense: ${problem}` }
  } catch (error) {
    const { spent, outcome } = await readSubRunOutcome(world.store, grant.runId)
    return { spent, outcome, message: messageOf(error) }
  }
}

function queue(): <Value>(next: () => Promise<Value> | Value) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (next) => {
    const turn = last.then(next)
    last = turn.catch(() => undefined)
    return turn
  }
}
