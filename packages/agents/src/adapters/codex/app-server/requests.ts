import type { AgentCall, CallAnswer, RpcPeer } from '../../../protocol/stream/index.ts'
import { applyPatch } from 'diff'
import { confine, readTextFile, type ConfinedPath } from '@donecheck/engine/files'
import type { Action, Escalation, FileChange } from '@donecheck/engine/ports/gate'
import type { FileUpdate, PermissionRequest } from './items.ts'
import { steer } from './thread.ts'
import type { ThreadRecords } from './thread-records.ts'
import { given } from '@donecheck/engine/base'

export interface Asking {
  readonly peer: RpcPeer
  readonly records: ThreadRecords
  /** Absolute. */
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

/** Codex answers a yes alone, and takes a reason only as words of its user. */
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

/** Undefined when the diff does not apply, so that the resulting file is not known. */
function applyDiff(before: string, diff: string): string | undefined {
  // What Codex adds to the diff of a file that is renamed is no part of it.
  const hunks = diff.replace(/\n+Moved to: [^\n]*\n?$/, '\n')
  try {
    const after = applyPatch(before, hunks)
    return after === false ? undefined : after
  } catch {
    return undefined
  }
}
