import {
  keptCalls,
  vetoOfCall,
  withCall,
  withReply,
  withTask,
  withTree,
  withVerification,
  asksNothing,
  listPattern,
  looks,
  readOutcome,
  replyRecord,
  amountSaid,
  verificationRecord,
  textHash,
  pauses,
  waits,
  type Activity,
  type CallFact,
} from './activity/index.ts'
import type { RunEvent, ToolCall } from '../events/index.ts'
import { batchOf, firstBatchOf, pendingCallOf, traitsOf } from './readings.ts'
import type { RunState } from './state.ts'

/**
 * @param before the state before the event
 * @param after the state after it, with the old activity
 */
export function evolveActivity(before: RunState, after: RunState, event: RunEvent): Activity {
  const { activity } = before
  switch (event.type) {
    case 'goal-set':
      return withTask(activity)
    case 'model-replied':
      return withReply(
        activity,
        replyRecord(batchOf(after), {
          text: event.text,
          calls: event.toolCalls.length,
          claimed: after.tally.claimed,
          sequence: event.sequence,
        }),
      )
    case 'tool-returned':
      return evolveReturned(before, event)
    case 'tool-refused':
      return evolveRefused(before, event)
    case 'workspace-observed':
      return evolveObserved(before, event.fingerprint)
    case 'verdict-given':
      return isVerified(before, after) ? evolveVerified(before, after, event.sequence) : activity
    default:
      return activity
  }
}

type Returned = Extract<RunEvent, { type: 'tool-returned' }>
type Refused = Extract<RunEvent, { type: 'tool-refused' }>

function evolveReturned(state: RunState, event: Returned): Activity {
  const pending = pendingCallOf(state, event.callId)
  if (pending === undefined) return state.activity
  const { call } = pending
  const { readOnly, mutating } = traitsOf(state, call.tool) ?? {}
  const isEdit = !readOnly && event.status === 'ok' && (mutating ?? pending.announcedAs === 'write')
  const noOp = !readOnly && mutating !== false && event.changed === false
  const pattern = event.failure == null ? undefined : listPattern(call.tool, call.args, event.output)
  const fact: CallFact = {
    ...factOf(state, call, event.sequence),
    ...(pattern === undefined ? {} : { pattern }),
    outcome: event.outcome ?? null,
    ...(event.lines === undefined ? {} : { lines: event.lines }),
    failure: event.failure ?? null,
    callStatus: 'ran',
    noOp,
    said: amountSaid(event.output),
    ...(mutating !== true && looks(call.tool, pending.announcedAs, call.args) ? { looks: true } : {}),
    ...(pauses(call.tool, call.args, event.durationMs) ? { pauses: true } : {}),
    ...(isEdit ? { edits: true } : {}),
  }
  return withCall(state.activity, fact, keptCallsOf(state))
}

function evolveRefused(state: RunState, event: Refused): Activity {
  const call = pendingCallOf(state, event.callId)?.call
  const answer = call === undefined ? undefined : answerOf(state.activity, call, event)
  if (call === undefined || answer === undefined) return state.activity
  const fact = { ...factOf(state, call, event.sequence), ...answer, noOp: false }
  return withCall(state.activity, fact, keptCallsOf(state))
}

/** How rules see a refusal; undefined if the agent could neither know nor fix it. */
function answerOf(
  activity: Activity,
  call: ToolCall,
  event: Refused,
): Pick<CallFact, 'outcome' | 'failure' | 'callStatus'> | undefined {
  if (event.by === 'detector') return vetoOfCall(activity, callKey(call))
  // An unknown tool, or arguments that it rejected, such as an edit of missing text.
  return ['schema', 'cap', 'record'].includes(event.by)
    ? { ...readOutcome(event.reason, true), callStatus: 'ran' }
    : undefined
}

function evolveObserved(state: RunState, fingerprint: string): Activity {
  // An agent with its own tools is observed during its turn too; calls before that are not new.
  const since = Math.max(firstBatchOf(state), state.activity.treeBatch + 1)
  return { ...withTree(state.activity, fingerprint, since), treeBatch: batchOf(state) }
}

/** Undefined until the last answer of this verification. */
function isVerified(before: RunState, after: RunState): boolean {
  return before.phase.kind === 'verifying' && after.phase.kind !== 'verifying'
}

function evolveVerified(
  { activity, workspace: before }: RunState,
  after: RunState,
  sequence: number,
): Activity {
  const { turn, settings, checks, workspace, tally } = after
  const isUnchanged = before.verified !== undefined && before.verified === before.current
  const known = { tree: workspace.current, isUnchanged, claimed: tally.claimed }
  const now = { sequence, turn, settings, checks, ...known }
  return withVerification(activity, verificationRecord(now, activity.verifications))
}

function factOf(state: RunState, call: ToolCall, sequence: number) {
  const traits = traitsOf(state, call.tool)
  return {
    sequence,
    turn: batchOf(state),
    tool: boundedName(call.tool),
    call: callKey(call),
    waits: waits(call.tool, call.args, traits),
    ...(traits?.readOnly === true || asksNothing(call.args) ? { readOnly: true as const } : {}),
  }
}

export function callKey({ tool, argsDigest, identity }: ToolCall): string {
  // The digest first, because most keys differ there.
  return `${(identity ?? argsDigest).slice(0, 16)}:${boundedName(tool)}`
}

/** Longer than any provider allows; a made-up name can have any length. */
const maxNameLength = 128

function boundedName(tool: string): string {
  return tool.length <= maxNameLength ? tool : `${tool.slice(0, maxNameLength / 2)}:${textHash(tool)}`
}

function keptCallsOf({ settings }: RunState): number {
  return Math.max(keptCalls, settings.soft?.loopDetection.historySize ?? 0)
}
