import type { HostResult, HostCall, HostEvent, HostAct, HostAnswer } from '../../protocol/host/index.ts'
import type { NewEvent, ToolCall, ToolEffect, JsonValue } from '@donecheck/core/internal/events'
import { costOf } from '@donecheck/core/internal/budgets'
import { toolReturned, recordedCall } from '@donecheck/engine/internal/loop/run'
import { type AgentReply, type SessionContext, buildWorld } from '../record/session-context.ts'
import { isJsonList, sha256 } from '@donecheck/engine/internal/base'
import { requiredChecks, type RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { isAtBoundary, type Decision } from '@donecheck/core/internal/decide'
import { runsLast } from '@donecheck/core/internal/decide/aggregate'

export const silent: AgentReply = { text: '', usage: null, costUsd: null }

export function replyFact(
  { text, usage, costUsd }: AgentReply,
  toolCalls: readonly ToolCall[],
  finish: 'stop' | 'tool-calls',
  { session }: Pick<SessionContext, 'session'>,
): NewEvent {
  const { prices } = session.state.agent
  const estimated = usage === null || prices === null ? null : costOf(usage, prices)
  return {
    type: 'model-replied',
    text: boundText(text, maxReplyLength),
    toolCalls,
    finish,
    usage,
    costUsd: costUsd ?? estimated,
  }
}

const maxReplyLength = 32_000
const maxOutputLength = 32_000

export function calledFact({ callId, tool }: ToolCall, effect: ToolEffect): NewEvent {
  return { type: 'tool-called', callId, tool, effect }
}

export function returnedFact(
  call: ToolCall,
  result: HostResult,
  { session, parts }: SessionContext,
): NewEvent {
  const outcome = {
    // An unknown end does not count as a failure.
    status: result.status === 'error' ? ('error' as const) : ('ok' as const),
    output: boundText(result.output, maxOutputLength),
  }
  const { state } = session
  const fact = toolReturned(call.callId, call.tool, outcome, { state, secrets: parts.secrets })
  const { durationMs } = result
  const isKnown = durationMs !== undefined && Number.isFinite(durationMs) && durationMs >= 0
  return isKnown ? { ...fact, durationMs } : fact
}

export function unknownOutcomeFact({ callId }: Pick<ToolCall, 'callId'>): NewEvent {
  return { type: 'tool-returned', callId, status: 'unknown', output: '' }
}

export function isPending({ state }: SessionContext['session'], { callId }: ToolCall): boolean {
  const { phase } = state
  return phase.kind === 'acting' && phase.pending.some(({ call }) => call.callId === callId)
}

export const maxPromptLength = 100_000
const maxMessageLength = 8_000
export const maxNameLength = 200

export function boundEvent(event: HostEvent): HostEvent {
  switch (event.kind) {
    case 'prompted':
      return { ...event, prompt: boundText(event.prompt, maxPromptLength) }
    case 'tool-proposed':
    case 'tool-finished':
      return { ...event, call: boundedCall(event.call) }
    case 'replied':
      return { ...event, calls: event.calls.map(boundedCall) }
    case 'turn-failed':
      return { ...event, message: boundText(event.message, maxMessageLength) }
    case 'session-started':
    case 'stopping':
    case 'session-ended':
    case 'irrelevant':
      return event
  }
}

function boundedCall(call: HostCall): HostCall {
  return { ...call, callId: boundedName(call.callId), tool: boundedName(call.tool) }
}

function boundedName(name: string): string {
  if (name.length <= maxNameLength) return name
  const mark = `… sha256 ${sha256(name).slice(0, 32)}`
  return `${name.slice(0, maxNameLength - mark.length)}${mark}`
}

const maxTextLength = 8_000
const maxArgumentsLength = 64_000

export function callOf({ callId, tool, args }: HostCall, { session, parts }: SessionContext): ToolCall {
  const name = callId === '' ? `call-${parts.ids.next()}` : callId
  return recordedCall({ callId: name, tool, args: boundedArguments(args) }, session)
}

/** The recorded end of a call. Without call ids, the oldest open equal call is meant. */
export function finishedCallOf(call: HostCall, context: SessionContext): ToolCall {
  const made = callOf(call, context)
  if (call.callId !== '') return made
  const isSame = (other: ToolCall) => other.tool === made.tool && other.argsDigest === made.argsDigest
  return context.memory.open.find((open) => isSame(open.call))?.call ?? made
}

export function effectOf({ kind }: HostAct): ToolEffect {
  switch (kind) {
    case 'read':
      return 'read'
    case 'write':
    case 'edit':
    case 'patch':
    case 'unreadable':
      return 'write'
    case 'command':
    case 'unknown':
      return 'execute'
  }
}

function boundedArguments(args: JsonValue): JsonValue {
  const bounded = boundedValue(args)
  const text = JSON.stringify(bounded)
  return text.length <= maxArgumentsLength ? bounded : boundText(text)
}

function boundedValue(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return boundText(value)
  // Deeper nesting is cut when the call is recorded.
  if (typeof value !== 'object' || value === null || depth > 64) return value
  if (isJsonList(value)) return value.map((entry) => boundedValue(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, boundedValue(entry, depth + 1)]),
  )
}

/** Keeps both ends and a digest, so that different texts are never recorded as equal. */
function boundText(text: string, longest = maxTextLength): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  const digest = sha256(text).slice(0, 16)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${missing} characters left out, sha256 ${digest} of the whole …]\n${text.slice(-half)}`
}

export const pass: HostAnswer = { kind: 'pass' }

export function allowStop(end: StopTransition): HostAnswer {
  return { kind: 'pass', notice: `donecheck: ${describeEnd(end)}` }
}

export function endNow(end: StopTransition): HostAnswer {
  return { kind: 'end', message: `donecheck: ${describeEnd(end)}` }
}

function describeEnd({ outcome, reason, cap, message }: StopTransition): string {
  if (outcome === 'verified') return `verified: ${message}`
  const why = cap === undefined ? reason : `${reason}, ${cap}`
  return `NOT verified (${outcome}, ${why}): ${message}`
}

export function endOf({ phase }: RunState): StopTransition | undefined {
  return phase.kind === 'stopped' ? phase.transition : undefined
}

export function adviceIn({ recorded }: SessionContext): readonly string[] {
  return recorded.flatMap((event) =>
    event.type === 'finding-noted' && event.finding.advice !== undefined ? [event.finding.advice] : [],
  )
}

export function feedbackIn({ recorded, memory }: SessionContext): string | undefined {
  const ended = recorded.findLast((event) => event.type === 'turn-ended')
  if (ended?.type !== 'turn-ended') return undefined
  const { feedback } = ended
  if (feedback === undefined) return undefined
  return memory.adviceGiven.reduce((text, advice) => text.replace(`\n\n${advice}`, ''), feedback)
}

export async function remindOfGoal({ session }: SessionContext): Promise<HostAnswer> {
  const { state } = session
  if (state.phase.kind === 'stopped' || state.turn === 0) return pass
  return { kind: 'pass', context: describeGoal(state) }
}

const maxTaskLength = 2_000

function describeGoal(state: RunState): string {
  const task = state.task.length <= maxTaskLength ? state.task : `${state.task.slice(0, maxTaskLength)} […]`
  const checks = requiredChecks(state)
  const open = checks.flatMap((name) => {
    const latest = state.checks[name]?.latest
    return latest === undefined || latest.status === 'passed' ? [] : [`- ${name}: ${latest.reason}`]
  })
  return [
    `The task that is going on: ${task}`,
    `It is done when these checks pass: ${checks.join(', ') || 'none'}.`,
    ...(open.length === 0 ? [] : ['They said last:', ...open]),
  ].join('\n')
}

export type Progress = 'at-work' | 'over' | 'broken-off'

/** Notes and refusals that may follow from one event; more is an endless loop. */
export const maxSteps = 50

/** Appends the facts together with everything that follows from them alone. */
export async function recordAndGoOn(facts: readonly NewEvent[], context: SessionContext): Promise<Progress> {
  const { session } = context
  const batch = [...facts]
  for (let step = 0; step < maxSteps; step += 1) {
    const decision = session.consider(...batch)
    const follows = factsOf(decision)
    if (follows.length > 0) batch.push(...follows)
    if (isHostsTurn(decision)) {
      await session.tell(...batch)
      return 'at-work'
    }
    if (follows.length === 0) break
  }
  await context.world()
  await session.tell(...batch)
  return goOn(context)
}

export function factsOf(decision: Decision): readonly NewEvent[] {
  switch (decision.kind) {
    case 'note':
      return [{ type: 'finding-noted', finding: decision.finding }]
    case 'call-model':
      return [modelCalledFact(decision)]
    case 'refuse-tools': {
      const { by, reason } = decision
      return decision.callIds.map((callId): NewEvent => ({ type: 'tool-refused', callId, by, reason }))
    }
    default:
      return []
  }
}

function isHostsTurn({ kind }: Decision): boolean {
  return kind === 'call-model' || kind === 'run-tools' || kind === 'wait'
}

function modelCalledFact({ turn, attempt }: Extract<Decision, { kind: 'call-model' }>): NewEvent {
  return { type: 'model-called', turn, attempt }
}

export async function goOn(context: SessionContext, signal = context.signal): Promise<Progress> {
  const { session } = context
  const { world, engine } = await buildWorld(context, signal)
  let isSameTree = false
  while (session.state.phase.kind !== 'stopped') {
    if (context.parts.signal.aborted && session.state.interruptedBy === undefined)
      await session.tell({ type: 'interrupt-requested', by: interrupter(context.parts.signal) })
    // A session runs its hook's checks; none is added later.
    if (isAtBoundary(session.state))
      await engine.takeInRequests(session, { ...world, moreChecks: null }, false)
    const decision = session.decide()
    if (decision.kind === 'call-model') await session.tell(modelCalledFact(decision))
    if (isHostsTurn(decision)) return 'at-work'
    const { sequence } = session.state
    if (endsVerified(decision) && !isSameTree) {
      isSameTree = true
      await recheckChangedTree(context, signal)
      if (world.signal.aborted && session.state.phase.kind === 'verifying') return 'broken-off'
      continue
    }
    await engine.perform(decision, session, world)
    if (session.state.sequence === sequence) return 'broken-off'
    if (world.signal.aborted && session.state.phase.kind === 'verifying') return 'broken-off'
  }
  return 'over'
}

function interrupter({ reason }: AbortSignal): string {
  if (typeof reason === 'string') return reason
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : 'cancel'
}

function endsVerified(decision: Decision): boolean {
  return decision.kind === 'stop' && decision.transition.outcome === 'verified'
}

/** Observes the tree again before a verified end, because a host may change it while checks run. */
async function recheckChangedTree(context: SessionContext, signal: AbortSignal): Promise<void> {
  const { session } = context
  const { world, engine } = await buildWorld(context, signal)
  await engine.observe(session, world)
  if (!isOfAnotherTree(session.state)) return
  const shown = session.state.settings.verifiers.filter(({ role }) => !runsLast(role))
  const verifiers = shown.map(({ name }) => name)
  await engine.perform({ kind: 'verify', trigger: 'claim', verifiers }, session, world)
}

function isOfAnotherTree({ checks, workspace: { current } }: RunState): boolean {
  return Object.values(checks).some(
    ({ latest }) =>
      latest?.status === 'passed' && latest.fingerprint !== undefined && latest.fingerprint !== current,
  )
}
