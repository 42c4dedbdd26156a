import type { RunState } from '@donecheck/core/internal/state'
import { assertKnownKeys, given, UsageError, optionKeys } from '../../base/index.ts'
import {
  heartbeatCheck,
  heartbeatName,
  heartbeatTask,
  looksOfRecord,
  planHeartbeat,
  readHeartbeatReply,
  type HeartbeatPlan,
} from '../../checks/heartbeat/index.ts'
import type { Verifier } from '../../ports/checks.ts'
import type { DeliverReply } from '../../ports/replies.ts'
import type { Agent } from '../../ports/loop.ts'
import type { Store } from '../../ports/store.ts'
import { systemClock } from '../run/index.ts'
import type { RunResult } from './runs/agent-run.ts'
import { createAgentLoop, type AgentLoopOptions } from './compose.ts'

export interface HeartbeatOptions {
  /** Text of the list, such as that of `HEARTBEAT.md`. */
  readonly checklist: string
  /** Name of the list: reading it does not count as work on its items. Default: `HEARTBEAT.md`. */
  readonly checklistName?: string
  /** With `verifyReplies`, its judge checks reports. Default caps: 30 turns, 3 failed answers in a row. */
  readonly loop: AgentLoopOptions
  readonly background?: () => readonly string[]
  /** Receives the text besides the token, or why nothing was shown: at most once. */
  readonly deliver?: DeliverReply
}

/** `waiting`: background work is not finished. `unverified`: the text was not shown. */
type HeartbeatKind = 'nothing-due' | 'all-clear' | 'report' | 'waiting' | 'unverified'

export interface HeartbeatEnd {
  readonly kind: HeartbeatKind
  readonly text: string
  readonly message: string
}

export interface HeartbeatResult extends HeartbeatEnd {
  readonly plan: HeartbeatPlan
  readonly run: RunResult | null
}

const keys = optionKeys<HeartbeatOptions>()('checklist! checklistName loop! background deliver')

/** Works through a list once. @throws {UsageError} if the agent's calls cannot be observed */
export async function runHeartbeat(options: HeartbeatOptions): Promise<HeartbeatResult> {
  assertKnownKeys(options, keys, 'runHeartbeat')
  const { checklist, checklistName, loop, background } = options
  const { clock = systemClock, store, workFolder = null } = loop
  const lastLooks = store === undefined ? new Map<string, number>() : await lastLooksIn(store, workFolder)
  const named = given({ name: checklistName })
  const plan = planHeartbeat({ ...named, checklist, nowMs: clock.nowMs(), lastLooks })
  if (plan.due.length === 0) return { ...nothingDue(plan), plan, run: null }
  const check = heartbeatCheck({ plan, ...given({ background }) })
  const run = await createAgentLoop(heartbeatLoop(options, check)).run(heartbeatTask(plan))
  const end = heartbeatEnd(run.state)
  // A waiting run settles no reply, but its text is delivered.
  if (end.kind === 'waiting' && end.text !== '') {
    const { runId } = run
    const { text, message } = end
    const reply = { runId, text, ending: 'ended-early', attempt: 1, message, isVerified: false } as const
    await options.deliver?.(reply, loop.signal ?? new AbortController().signal)
  }
  return { ...end, plan, run }
}

export const capsOfHeartbeat = { iterations: 30, blockedStops: 2 } as const

function heartbeatLoop({ loop, deliver }: HeartbeatOptions, check: Verifier): AgentLoopOptions {
  if (typeof loop.agent === 'object' && 'description' in loop.agent) assertShowsCalls(loop.agent)
  const { verifyReplies = { judge: null }, hardVerifiers = [], hardCap } = loop
  return {
    ...loop,
    hardVerifiers: [...(typeof hardVerifiers === 'string' ? [hardVerifiers] : hardVerifiers), check],
    hardCap: { ...capsOfHeartbeat, ...hardCap },
    completeWhen: 'checks-and-claim',
    verifyReplies: {
      ...verifyReplies,
      verifyAll: verifyReplies.judge !== null,
      ...(deliver === undefined ? {} : { deliver: withoutToken(deliver) }),
    },
  }
}

export function assertShowsCalls({ description }: Agent): void {
  if (description.kind !== 'command') return
  throw new UsageError(
    `nobody sees what ${description.name} looks at, so a heartbeat by it could show no look; use a model, or an agent whose calls are seen`,
  )
}

function withoutToken(deliver: DeliverReply): DeliverReply {
  return (reply, signal) => {
    const { rest } = readHeartbeatReply(reply.text)
    const isShown = reply.isVerified || reply.ending === 'not-triggered'
    const text = rest === '' && !isShown ? `The heartbeat is unverified: ${reply.message}` : rest
    return text === '' ? undefined : deliver({ ...reply, text }, signal)
  }
}

export function nothingDue({ name, notDue }: HeartbeatPlan): HeartbeatEnd {
  const message = notDue.length === 0 ? `there is nothing in ${name}` : `nothing in ${name} is due`
  return { kind: 'nothing-due', text: '', message }
}

export function heartbeatEnd(state: RunState): HeartbeatEnd {
  const check = state.checks[heartbeatName]?.latest
  const { rest: text } = readHeartbeatReply(state.replyCheck?.settled?.text ?? state.lastText)
  const stopped = state.phase.kind === 'stopped' ? state.phase.transition : undefined
  const message = stopped?.message ?? 'it has not ended'
  if (stopped?.outcome === 'verified') return { kind: text === '' ? 'all-clear' : 'report', text, message }
  return { kind: check?.status === 'pending' ? 'waiting' : 'unverified', text, message }
}

const mostHeartbeats = 50
const taskOfHeartbeat = heartbeatTask({ name: '', due: [], notDue: [] }).slice(0, 20)

export async function lastLooksIn(
  store: Pick<Store, 'list' | 'read'>,
  workFolder: string | null,
): Promise<ReadonlyMap<string, number>> {
  const runs = await store.list()
  const heartbeats = runs
    .filter((run) => run.workFolder === workFolder && run.task.startsWith(taskOfHeartbeat))
    .slice(0, mostHeartbeats)
  const records = await Promise.all(heartbeats.map(({ runId }) => store.read(runId)))
  return new Map(records.toReversed().flatMap(looksOfRecord))
}
