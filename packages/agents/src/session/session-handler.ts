import { given, RunHeldError } from '@donecheck/engine/internal/base'
import type { RunState } from '@donecheck/core/internal/state'
import type { HostAnswer, HostCall, HostEvent, HostStop } from '../protocol/host/index.ts'
import { endOf, allowStop, pass, remindOfGoal, boundEvent, goOn } from './events/facts.ts'
import { baselineNotice, type EarlierRun, baselineAfter, rememberPromptTree } from './baseline.ts'
import { SessionRecord } from './record/session-record.ts'
import { onProposal } from './events/on-proposal.ts'
import {
  onReply,
  onResult,
  settleOpen,
  isChangedSince,
  onFailure,
  onSessionEnd,
  onStop,
} from './events/on-turn.ts'
import type { AgentSessionParts, AgentSession } from './session.ts'
import { remember, type SessionContext, buildWorld, snapshotOf } from './record/session-context.ts'
import { runsLast } from '@donecheck/core/internal/decide/aggregate'
import type { HostSession } from '@donecheck/engine/internal/ports/store'

/** More than an agent's parallel calls: each round lets one through. */
const maxAttempts = 1000

export function sessionOver(parts: AgentSessionParts): AgentSession {
  const record = new SessionRecord(parts)
  let queue: Promise<unknown> = Promise.resolve()
  return {
    get state() {
      return record.state
    },
    get end() {
      return record.state === undefined ? undefined : endOf(record.state)
    },
    observe(event, signal = new AbortController().signal) {
      const bounded = boundEvent(event)
      const answer = queue.then(() => handleUntilTaken(bounded, record, signal))
      queue = answer.catch(() => undefined)
      return answer
    },
  }
}

async function handleUntilTaken(
  event: HostEvent,
  record: SessionRecord,
  signal: AbortSignal,
): Promise<HostAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await handleEvent(event, record, signal)
    } catch (error) {
      record.forget()
      if (!(error instanceof RunHeldError) || attempt >= maxAttempts || signal.aborted) throw error
      await record.pause(attempt, signal)
    }
  }
}

async function handleEvent(
  event: HostEvent,
  record: SessionRecord,
  signal: AbortSignal,
): Promise<HostAnswer> {
  switch (event.kind) {
    case 'prompted':
      return onPrompt(event.prompt, record, signal)
    case 'stopping':
      return stopping(event, record, signal)
    case 'irrelevant':
      return pass
    case 'tool-proposed':
    case 'tool-finished':
    case 'replied':
      await ensureStarted(record, signal)
      break
    case 'session-started':
    case 'turn-failed':
    case 'session-ended':
  }
  return (await record.withoutLease(signal, (context) => takeUp(event, context))) ?? pass
}

type InTurn = Exclude<HostEvent, { kind: 'prompted' | 'stopping' | 'irrelevant' }>

function takeUp(event: InTurn, context: SessionContext): Promise<HostAnswer> {
  switch (event.kind) {
    case 'session-started':
      return remindOfGoal(context)
    case 'tool-proposed':
      return onWork(event.call, context, () => onProposal(event.call, context))
    case 'tool-finished':
      return onWork(event.call, context, () => onResult(event.call, event.result, context))
    case 'replied':
      return onReply(event, context)
    case 'turn-failed':
      return onFailure(event.message, context)
    case 'session-ended':
      return onSessionEnd(context)
  }
}

/** A prompt during work belongs to that work; otherwise it starts a run. */
async function onPrompt(prompt: string, record: SessionRecord, signal: AbortSignal): Promise<HostAnswer> {
  await record.rest(signal)
  if (await record.isOpen()) await record.withoutLease(signal, settleTurn)
  if (await record.isOpen()) return pass
  const notice = await record.start(signal, async (context, before) => {
    await begin(prompt, before, context)
    return context.memory.baselineRunId === null ? undefined : baselineNotice(before, context.session.state)
  })
  return { ...pass, ...given({ notice }) }
}

async function settleTurn(context: SessionContext): Promise<void> {
  remember(context, { waits: 0, waitsFor: [] })
  await settleOpen(context)
}

async function ensureStarted(record: SessionRecord, signal: AbortSignal): Promise<void> {
  if (await record.isKnown()) return
  await record.start(
    signal,
    (context, before) => begin(undefined, before, context),
    async () => !(await record.isKnown()),
  )
}

async function stopping(stop: HostStop, record: SessionRecord, signal: AbortSignal): Promise<HostAnswer> {
  await ensureStarted(record, signal)
  const waiting = await answerWait(stop, record, signal)
  if (waiting !== undefined) return waiting
  const answer = await record.withLease(signal, async (context, hasWaited) => {
    const end = endOf(context.session.state)
    if (end === undefined) return onStop(stop, context)
    const isChanged = stop.tellsNoWork === true || (await isChangedSince(context, hasWaited))
    return end.outcome === 'verified' && isChanged ? 'changed' : allowStop(end)
  })
  if (answer !== 'changed') return answer
  await record.start(signal, (context, before) =>
    begin(before?.state.task, before && { ...before, isGoneOnWith: true }, context),
  )
  return record.withLease(signal, (context) => onStop(stop, context))
}

async function onWork(
  call: HostCall,
  context: SessionContext,
  takeUpCall: () => Promise<HostAnswer>,
): Promise<HostAnswer> {
  const isAfterEnd = endOf(context.session.state) !== undefined
  if (context.memory.waitsFor.length > 0) remember(context, { waitsFor: [] })
  const answer = await takeUpCall()
  if (isAfterEnd && call.act.kind !== 'read' && answer.kind === 'pass' && !context.memory.workedAfterEnd)
    remember(context, { workedAfterEnd: true })
  return answer
}

const unseenTask = '(what the agent was asked for was not seen)'

/** @param prompt undefined if the host did not report it */
async function begin(
  prompt: string | undefined,
  before: EarlierRun | undefined,
  context: SessionContext,
): Promise<void> {
  const { parts, session } = context
  const task = prompt === undefined || prompt.trim() === '' ? unseenTask : prompt
  const isGoneOnWith = before?.isGoneOnWith === true
  const rememberBaseline = (now?: RunState) =>
    remember(context, { baselineRunId: baselineAfter(before, now, parts.agreedAtMs) })
  remember(context, { sawPrompt: prompt !== undefined && !isGoneOnWith })
  rememberBaseline()
  const { beginning } = await context.world()
  await session.tell(
    beginning,
    { type: 'goal-set', task },
    { type: 'agent-session-opened', sessionId: parts.sessionId },
  )
  const { world, engine } = await buildWorld(context)
  await engine.fireRunStarted(session, world)
  await engine.observe(session, world)
  rememberBaseline(session.state)
  await (parts.choices.baseline === 'checks' && !isGoneOnWith ? goOn(context) : rememberTree(context))
  await rememberPromptTree(context)
}

async function rememberTree(context: SessionContext): Promise<void> {
  const { session } = context
  const { world, engine } = await buildWorld(context)
  const guards = session.state.settings.verifiers.filter(({ role }) => role === 'guard' && !runsLast(role))
  const verifiers = guards.map(({ name }) => name)
  if (verifiers.length > 0)
    await engine.perform({ kind: 'verify', trigger: 'baseline', verifiers }, session, world)
  if (!world.signal.aborted) await session.tell({ type: 'model-called', turn: 1, attempt: 1 })
}

/** Consecutive turns that may end without a claim. */
const maxWaits = 3

const answer = 'the answer of its user'

/** @returns undefined if the end of the turn is a claim */
async function answerWait(
  stop: HostStop,
  record: SessionRecord,
  signal: AbortSignal,
): Promise<HostAnswer | undefined> {
  if (stop.waitingFor.length === 0 && stop.asksUser !== true) return undefined
  const mayWait = await record.withoutLease(signal, async (context) => noteWait(stop, context))
  if (mayWait !== true) return undefined
  return stop.waitingFor.length === 0 ? pass : { kind: 'pass', notice: noticeOf(stop) }
}

/** Waits only for work that is new since the previous turn's end. */
function noteWait({ waitingFor, asksUser }: HostStop, context: SessionContext): boolean {
  const { memory } = context
  const isNew = waitingFor.some((name) => !memory.background.includes(name))
  const mayWait = (asksUser === true || isNew) && memory.waits < maxWaits
  const names = asksUser === true ? [...waitingFor, answer] : waitingFor
  remember(context, { waits: memory.waits + 1, waitsFor: mayWait ? names : [], background: waitingFor })
  return mayWait
}

function noticeOf({ waitingFor }: HostStop): string {
  return `donecheck: nothing was checked, because the agent waits for ${waitingFor.join(', ')}`
}

export function waitsOf({ snapshot }: Pick<HostSession, 'snapshot'>): readonly string[] {
  return snapshotOf(snapshot)?.memory.waitsFor ?? []
}
