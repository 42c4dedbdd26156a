import { payloadOf, textIn } from '../../../protocol/host/index.ts'
import {
  failedTurn,
  type AgentSignal,
  type RpcCall,
  type RpcPeer,
  type AgentCall,
  type CallAnswer,
} from '../../../protocol/stream/index.ts'
import type { PermissionRequest, FileUpdate } from './items.ts'
import { pauseGoal, steer } from './thread.ts'
import { AppServerTranslator, failureOf, type AppServerNews } from '../translate.ts'
import { applyPatch } from 'diff'
import { confine, readTextFile, type ConfinedPath } from '@donecheck/engine/files'
import type { Action, Escalation, FileChange } from '@donecheck/engine/ports/gate'
import type { ThreadRecords } from './thread-records.ts'
import { given } from '@donecheck/engine/base'

interface ThreadTurn extends Asking {
  readonly threadId: string
  readonly prompt: string
  readonly onRunning: (turnId: string | undefined) => void
}

export async function* turnIn(turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const { peer, threadId, folder } = turn
  const began = await peer.request('turn/start', { threadId, input: [{ type: 'text', text: turn.prompt }] })
  const turnId = began.kind === 'result' ? textIn(began.result['turn'], 'id') : undefined
  if (turnId === undefined) {
    const message = began.kind === 'error' ? began.message : 'it said nothing of the turn'
    yield failedTurn(failureOf(message))
    return
  }
  turn.onRunning(turnId)
  const translator = new AppServerTranslator({ threadId, turnId, folder })
  // What is sent to a thread at work is taken into the turn that is there.
  if (peer.waiting.some((message) => startedTurn(message) === turnId))
    yield findingOf('Codex had begun a turn by itself: it counts as the one that was asked for')
  for await (const message of peer.calls()) {
    for (const reported of translator.read(message)) yield* perform(reported, translator, turn)
    if (translator.over !== undefined) break
  }
  turn.onRunning(undefined)
  if (translator.over === undefined) {
    const { problem } = await peer.ended
    yield {
      kind: 'turn-ended',
      text: '',
      problem: `codex app-server ended in the middle of its turn: ${problem}`,
    }
    return
  }
  yield* comeToRest(turn, translator)
  yield translator.over
}

/** Interrupts what an active goal has begun at the end of the turn. */
async function* comeToRest(turn: ThreadTurn, translator: AppServerTranslator): AsyncGenerator<AgentSignal> {
  const { peer, threadId } = turn
  await pauseGoal(peer, threadId)
  const isAtWork = await isActive(peer, threadId)
  // Those that were told before the answer may speak of the turn that is over.
  let early = peer.waiting.length
  if (early === 0 && !isAtWork) return
  for await (const message of peer.calls()) {
    for (const reported of translator.read(message)) yield* perform(reported, translator, turn)
    early -= 1
    if (isAtWork ? early < 0 && endsWork(message, threadId) : early === 0) return
  }
}

async function isActive(peer: RpcPeer, threadId: string): Promise<boolean> {
  const read = await peer.request('thread/read', { threadId })
  const thread = read.kind === 'result' ? payloadOf(read.result['thread']) : undefined
  return textIn(payloadOf(thread?.['status']), 'type') === 'active'
}

function endsWork(message: RpcCall, threadId: string): boolean {
  const { method, params } = message
  if (textIn(params, 'threadId') !== threadId) return false
  if (method === 'turn/completed') return true
  return method === 'thread/status/changed' && textIn(payloadOf(params['status']), 'type') !== 'active'
}

function startedTurn({ method, params }: RpcCall): string | undefined {
  return method === 'turn/started' ? textIn(payloadOf(params['turn']), 'id') : undefined
}

async function* perform(
  reported: AppServerNews,
  translator: AppServerTranslator,
  turn: ThreadTurn,
): AsyncGenerator<AgentSignal> {
  switch (reported.kind) {
    case 'asked':
      yield* ask(reported, turn)
      return
    case 'used':
      yield* translator.addRecordedCalls(await turn.records.takeEndedCalls(reported.threadId))
      yield { kind: 'step', usage: reported.usage }
      return
    case 'do':
      if (reported.finding !== undefined) yield findingOf(reported.finding)
      await reported.act(turn.peer)
      return
    default:
      yield reported
  }
}

async function* ask(asked: PermissionRequest, turn: ThreadTurn): AsyncGenerator<AgentSignal> {
  const { call, refusal } = await answerable(asked, turn)
  yield call
  if (refusal !== undefined) await tell(asked, { allowed: false, reason: refusal }, turn.peer)
}

function findingOf(message: string): AgentSignal {
  return { kind: 'finding', rule: 'codex-goal', message }
}

export interface Asking {
  readonly peer: RpcPeer
  readonly records: ThreadRecords
  readonly folder: string
  readonly isConfined: boolean
}

interface Answerable {
  readonly call: AgentCall
  readonly refusal?: string
}

export async function answerable(asked: PermissionRequest, asking: Asking): Promise<Answerable> {
  const { call, subject } = asked
  const answer = (decision: CallAnswer) => tell(asked, decision, asking.peer)
  switch (subject.kind) {
    case 'command': {
      const { script, folder } = subject
      const escalation = asking.isConfined ? await readEscalation(asked, asking.records) : undefined
      const action: Action = { kind: 'command', script, folder, ...given({ escalation }) }
      return { call: { ...call, action, answer } }
    }
    case 'change': {
      const looked = await lookAtUpdates(asking.folder, subject.updates)
      if (looked.kind === 'outside') return { call, refusal: looked.reason }
      return { call: { ...call, action: { kind: 'change', files: looked.files }, answer } }
    }
    case 'other':
      return { call: { ...call, answer } }
  }
}

export async function tell(
  { call, requestId, threadId, turnId }: PermissionRequest,
  decision: CallAnswer,
  peer: RpcPeer,
): Promise<void> {
  const reason = reasonAgainst(decision, call)
  if (reason !== undefined) {
    const text = `Your call of ${call.tool} was refused, and nobody has to be asked again: ${reason}`
    await steer(peer, threadId, turnId, text)
  }
  await peer.answer(requestId, { decision: reason === undefined ? 'accept' : 'decline' })
}

function reasonAgainst(decision: CallAnswer, call: AgentCall): string | undefined {
  if (!decision.allowed) return decision.reason
  if (JSON.stringify(decision.args) === JSON.stringify(call.args)) return undefined
  return `it may only be run with other arguments: ${JSON.stringify(decision.args)}`
}

/** Where Codex does not say whether a command stays in its sandbox, it is taken for one that leaves. */
async function readEscalation(
  { itemId, threadId, subject }: PermissionRequest,
  records: ThreadRecords,
): Promise<Escalation | undefined> {
  if (subject.kind !== 'command') return undefined
  const recorded = await records.leaving(threadId, itemId)
  const prefix = recorded.kind === 'leaves' && recorded.prefix.length > 0 ? { prefix: recorded.prefix } : {}
  const { asksToLeave, isRepeated } = subject
  if (asksToLeave !== undefined) return { reason: asksToLeave, ...prefix }
  if (isRepeated) return { reason: 'it failed in the sandbox', ...prefix }
  if (recorded.kind === 'leaves') return { reason: recorded.reason ?? 'it gives no reason', ...prefix }
  return recorded.kind === 'unknown'
    ? { reason: 'codex does not say whether it stays in the sandbox' }
    : undefined
}

type LookedAt =
  | { readonly kind: 'inside'; readonly files: readonly FileChange[] }
  | { readonly kind: 'outside'; readonly reason: string }

export async function lookAtUpdates(folder: string, updates: readonly FileUpdate[]): Promise<LookedAt> {
  const files: FileChange[] = []
  for (const update of updates) {
    const from = await confine(folder, update.path)
    if (from.kind === 'outside') return from
    const to = update.movedTo === undefined ? from : await confine(folder, update.movedTo)
    if (to.kind === 'outside') return to
    files.push(...(await readChanges(update, from, to)))
  }
  return { kind: 'inside', files }
}

async function readChanges(
  update: FileUpdate,
  from: ConfinedPath,
  to: ConfinedPath,
): Promise<readonly FileChange[]> {
  const before = await readTextFile(from.absolute)
  switch (update.kind) {
    case 'add':
      return [{ path: from.relative, before, after: update.diff }]
    case 'delete':
      return [{ path: from.relative, before, after: null }]
    case 'update': {
      const after = typeof before === 'string' ? applyDiff(before, update.diff) : undefined
      if (to.absolute === from.absolute) return [{ path: from.relative, before, after }]
      return [
        { path: from.relative, before, after: null },
        { path: to.relative, before: await readTextFile(to.absolute), after },
      ]
    }
  }
}

function applyDiff(before: string, diff: string): string | undefined {
  const hunks = diff.replace(/\n+Moved to: [^\n]*\n?$/, '\n')
  try {
    const after = applyPatch(before, hunks)
    return after === false ? undefined : after
  } catch {
    return undefined
  }
}
