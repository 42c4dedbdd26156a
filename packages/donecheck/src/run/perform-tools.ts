import { workDeadlineOf, type Decision } from '../core/index.ts'
import { problemOfFact, type Fact, type PendingCall, type ToolCall } from '../events/index.ts'
import type {
  Approval,
  ApprovalQuestion,
  GateDecision,
  PreparedCall,
  Tool,
  ToolContext,
  ToolOutcome,
} from '../ports.ts'
import { effectSignal } from './effect-signal.ts'
import type { Session } from './session.ts'
import { settleWithin } from './settle-within.ts'
import { subRunDoor } from './sub-runs.ts'
import { toolReturned } from './tool-returned.ts'
import type { World } from './world.ts'

type RunTools = Extract<Decision, { kind: 'run-tools' }>
type Refusal = { readonly kind: 'refused' } & Omit<Extract<Fact, { type: 'tool-refused' }>, 'type' | 'callId'>
type Ready = Extract<PreparedCall, { kind: 'ready' }>
type Cleared = { readonly kind: 'cleared'; readonly tool: Tool; readonly prepared: Ready } | Refusal
/** Runs the calls of a batch one after the other; each is announced before it runs and answered after (I4). */
export async function runTools(decision: RunTools, session: Session, world: World): Promise<void> {
  const signal = effectSignal(world.signal, decision.deadlineMs, world.clock)
  const { phase } = session.state
  const pending = phase.kind === 'acting' ? phase.pending : []
  for (const entry of pending.filter(({ call }) => decision.callIds.includes(call.callId))) {
    if (signal.aborted) return
    const { started } = session.state.subRuns
    await runCall(entry, session, world, signal)
    // What a sub-run has used is gone from the caps under which this batch was allowed.
    if (session.state.subRuns.started !== started) return
  }
}

async function runCall(
  { call }: PendingCall,
  session: Session,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const { callId } = call
  const cleared = await clear(call, session, world, signal)
  if (world.signal.aborted) return
  if (signal.aborted) {
    await session.tell({ type: 'tool-refused', callId, by: 'cap', reason: 'the time of this run is over' })
    return
  }
  if (cleared.kind === 'refused') {
    const { by, reason, unknownTool } = cleared
    await session.tell({
      type: 'tool-refused',
      callId,
      by,
      reason,
      ...(unknownTool === undefined ? {} : { unknownTool }),
    })
    return
  }
  const { tool, prepared } = cleared
  const [called] = await session.tell({ type: 'tool-called', callId, tool: tool.name, effect: tool.effect })
  const startedMs = world.clock.nowMs()
  const door = subRunDoor(callId, session, world)
  const workSignal = effectSignal(signal, workDeadlineOf(session.state), world.clock)
  const outcome = await run(prepared, workSignal, door.context)
  await door.close()
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const causeId = called === undefined ? {} : { causeId: called.id }
  const { state, secrets } = session
  const said = toolReturned(callId, tool.name, outcome, { state, secrets, world })
  await session.tell({ ...said, durationMs, ...causeId })
}

/** Everything that can stand in the way of a call, from its name to a person's no. */
async function clear(call: ToolCall, session: Session, world: World, signal: AbortSignal): Promise<Cleared> {
  const { callId } = call
  const tool = world.tools.find(({ name }) => name === call.tool)
  if (tool === undefined)
    return { ...refused('schema', unknownTool(call.tool, world.tools)), unknownTool: true }
  if (call.malformed !== undefined) return refused('schema', `unreadable arguments: ${call.malformed}`)
  const { args, isRecord } = session.argumentsOf(callId, call.args)
  if (isRecord && JSON.stringify(args).includes('[masked:')) return refused('record', lostSecret)
  const prepared = await prepare(tool, args, signal)
  if (prepared.kind === 'invalid') return refused('schema', prepared.reason)
  const { summary, preview } = prepared
  const shown = preview === undefined ? { summary } : { summary, preview }
  const question = { callId, tool: tool.name, effect: tool.effect, args, ...shown }
  const refusal = await refusalOf(question, session, world, signal)
  return refusal ?? { kind: 'cleared', tool, prepared }
}

const lostSecret = 'a secret in its arguments was not kept over the restart; propose the call again'

function refused(by: Refusal['by'], reason: string): Refusal {
  return { kind: 'refused', by, reason }
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const known = tools.map((tool) => tool.name).join(', ')
  return `there is no tool "${name}"; the tools are: ${known === '' ? '(none)' : known}`
}

/** A tool that throws while it looks at its arguments, or never answers, cannot take them. */
async function prepare(
  tool: Tool,
  args: ApprovalQuestion['args'],
  signal: AbortSignal,
): Promise<PreparedCall> {
  const settled = await settleWithin(() => tool.prepare(args), { signal })
  if (settled.kind === 'answered' && isPrepared(settled.value)) return settled.value
  const problem = settled.kind === 'threw' ? settled.message : 'it gave no answer that could be understood'
  return { kind: 'invalid', reason: `${tool.name} failed on its arguments: ${problem}` }
}

function isPrepared(value: PreparedCall | undefined): value is PreparedCall {
  return value?.kind === 'ready' || value?.kind === 'invalid'
}

async function run(prepared: Ready, signal: AbortSignal, context: ToolContext): Promise<ToolOutcome> {
  const settled = await settleWithin(() => prepared.run(signal, context), { signal })
  switch (settled.kind) {
    case 'answered':
      return isOutcome(settled.value)
        ? settled.value
        : { status: 'error', output: 'the tool answered nonsense' }
    case 'threw':
      return { status: signal.aborted ? 'interrupted' : 'error', output: settled.message }
    case 'abandoned':
      return {
        status: 'interrupted',
        output: 'the tool did not end when it was told to; it may still be at work',
      }
  }
}

function isOutcome(value: ToolOutcome): boolean {
  return problemOfFact({ type: 'tool-returned', callId: '', ...value }) === undefined
}

/** The gate fails closed (I7), and so does whoever is asked (I6). Undefined: the call may run. */
async function refusalOf(
  question: Omit<ApprovalQuestion, 'reason'>,
  session: Session,
  world: World,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const decision = await gateDecision(question, world, signal)
  if (decision.kind === 'allow') return undefined
  if (decision.kind === 'forbid') return refused('gate', decision.reason)
  const { callId } = question
  await session.tell({ type: 'approval-requested', callId, question: question.summary })
  const approval = await approvalOf({ ...question, reason: decision.reason }, world, signal)
  if (signal.aborted) return refused('approver', 'interrupted')
  await session.tell({ type: 'approval-given', callId, ...approval })
  return approval.approved ? undefined : refused('approver', approval.reason)
}

async function gateDecision(
  question: Omit<ApprovalQuestion, 'reason'>,
  world: World,
  signal: AbortSignal,
): Promise<GateDecision> {
  const settled = await settleWithin(() => world.gate.check(question), { signal })
  if (settled.kind === 'answered' && isDecision(settled.value)) return settled.value
  return {
    kind: 'forbid',
    reason: `the gate failed: ${settled.kind === 'threw' ? settled.message : 'it gave no decision'}`,
  }
}

/** Whatever else a gate answers is not a yes. */
function isDecision(value: GateDecision | undefined): value is GateDecision {
  return (
    ['allow', 'prompt', 'forbid'].some((kind) => kind === value?.kind) && typeof value?.reason === 'string'
  )
}

async function approvalOf(question: ApprovalQuestion, world: World, signal: AbortSignal): Promise<Approval> {
  const settled = await settleWithin(() => world.approver.ask(question, signal), { signal })
  if (settled.kind === 'answered' && isApproval(question.callId, settled.value)) return settled.value
  const problem = settled.kind === 'threw' ? settled.message : 'there was no answer that could be understood'
  return { approved: false, by: 'approver', reason: `nobody could be asked: ${problem}` }
}

function isApproval(callId: string, value: Approval | undefined): value is Approval {
  return value !== undefined && problemOfFact({ type: 'approval-given', callId, ...value }) === undefined
}
