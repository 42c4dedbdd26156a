import { fieldOf, textIn } from '../../../protocol/host/index.ts'
import {
  failedTurn,
  type AgentSignal,
  type RpcCall,
  type RpcPeer,
  type CallAnswer,
} from '../../../protocol/stream/index.ts'
import type { PermissionRequest, FileUpdate } from './items.ts'
import { pauseGoal, steer } from './thread.ts'
import { AppServerTranslator, failureOf, type AppServerNews } from '../translate.ts'
import { applyPatch } from 'diff'
import { confine, readTextFile, type ConfinedPath } from '@donecheck/engine/internal/system/files'
import type { Escalation, FileChange } from '@donecheck/engine/internal/ports/gate'
import type { ThreadRecords } from './thread-records.ts'
import { given } from '@donecheck/engine/internal/base'

interface ThreadTurn {
  readonly peer: RpcPeer
  readonly records: ThreadRecords
  readonly folder: string
  readonly isConfined: boolean
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
  // Input sent to a working thread joins the current turn.
  const isTurn = ({ method, params }: RpcCall) =>
    method === 'turn/started' && textIn(params['turn'], 'id') === turnId
  if (peer.waiting.some(isTurn))
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

/** Interrupts turns that an active goal starts after this one. */
async function* comeToRest(turn: ThreadTurn, translator: AppServerTranslator): AsyncGenerator<AgentSignal> {
  const { peer, threadId } = turn
  await pauseGoal(peer, threadId)
  const isAtWork = await isActive(peer, threadId)
  // Messages received before the response may belong to the previous turn.
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
  return read.kind === 'result' && isActiveIn(read.result['thread'])
}

function isActiveIn(thread: unknown): boolean {
  return textIn(fieldOf(thread, 'status'), 'type') === 'active'
}

function endsWork({ method, params }: RpcCall, threadId: string): boolean {
  if (textIn(params, 'threadId') !== threadId) return false
  return method === 'turn/completed' || (method === 'thread/status/changed' && !isActiveIn(params))
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

async function* ask(
  asked: PermissionRequest,
  { peer, records, folder, isConfined }: ThreadTurn,
): AsyncGenerator<AgentSignal> {
  const { call, subject } = asked
  const answer = (decision: CallAnswer) => tell(asked, decision, peer)
  if (subject.kind === 'other') yield { ...call, answer }
  else if (subject.kind === 'command') {
    const escalation = isConfined ? await readEscalation(asked, subject, records) : undefined
    const { script, folder: place } = subject
    yield { ...call, answer, action: { kind: 'command', script, folder: place, ...given({ escalation }) } }
  } else {
    const looked = await lookAtUpdates(folder, subject.updates)
    if (looked.kind === 'inside') yield { ...call, answer, action: { kind: 'change', files: looked.files } }
    else {
      yield call
      await answer({ allowed: false, reason: looked.reason })
    }
  }
}

function findingOf(message: string): AgentSignal {
  return { kind: 'finding', rule: 'codex-goal', message }
}

/** Codex accepts only yes as an answer; a reason must be sent as user input. */
async function tell(
  { call, requestId, threadId, turnId }: PermissionRequest,
  decision: CallAnswer,
  peer: RpcPeer,
): Promise<void> {
  const isSame = decision.allowed && JSON.stringify(decision.args) === JSON.stringify(call.args)
  if (!isSame) {
    const reason = decision.allowed
      ? `it may only be run with other arguments: ${JSON.stringify(decision.args)}`
      : decision.reason
    const text = `Your call of ${call.tool} was refused, and nobody has to be asked again: ${reason}`
    await steer(peer, threadId, turnId, text)
  }
  await peer.answer(requestId, { decision: isSame ? 'accept' : 'decline' })
}

/** A command counts as leaving the sandbox unless Codex says otherwise. */
async function readEscalation(
  { itemId, threadId }: PermissionRequest,
  { asksToLeave, isRepeated }: Extract<PermissionRequest['subject'], { kind: 'command' }>,
  records: ThreadRecords,
): Promise<Escalation | undefined> {
  const recorded = await records.leaving(threadId, itemId)
  const leaves = recorded.kind === 'leaves' ? recorded : undefined
  const reason =
    asksToLeave ??
    (isRepeated ? 'it failed in the sandbox' : undefined) ??
    (leaves === undefined ? undefined : (leaves.reason ?? 'it gives no reason')) ??
    (recorded.kind === 'unknown' ? 'codex does not say whether it stays in the sandbox' : undefined)
  const prefix = leaves !== undefined && leaves.prefix.length > 0 ? leaves.prefix : undefined
  return reason === undefined ? undefined : { reason, ...given({ prefix }) }
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
