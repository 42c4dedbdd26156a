/** What is to be done about what `codex app-server` tells, and how a question of it is read. Pure. */
import { payloadOf, textIn, type Payload } from '../../../protocol/hooks/index.ts'
import type { AgentCall, AgentSignal } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { callOfItem, commandOf, updatesOf, type FileUpdate } from './items.ts'

/** What is to be done about a message. */
export type AppServerNews =
  | { readonly kind: 'signal'; readonly signal: AgentSignal }
  | PermissionRequest
  /** A reply of the model is over: what the record of the thread has of it is due. */
  | { readonly kind: 'step'; readonly threadId: string; readonly usage: TokenUsage }
  | { readonly kind: 'pause-goal' }
  /** Nobody sits there who could answer it: it is answered with no, and the model hears why. */
  | {
      readonly kind: 'declined'
      readonly id: JsonValue
      readonly result: JsonValue
      readonly threadId: string
      readonly turnId: string | undefined
      readonly reason: string
    }
  | { readonly kind: 'unanswerable'; readonly id: JsonValue; readonly method: string }
  /** A turn that nobody has asked for. */
  | { readonly kind: 'stray-turn'; readonly turnId: string }

/** A call that Codex runs only after it was answered. */
export interface PermissionRequest {
  readonly kind: 'asked'
  readonly requestId: JsonValue
  readonly call: AgentCall
  /** Codex's own id of the item, which the record of the thread has too. */
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
  readonly subject:
    /** `asksToLeave`: Codex says that it would run outside of the sandbox. Where it says nothing, the record tells. */
    | {
        readonly kind: 'command'
        readonly script: string
        readonly folder: string
        readonly asksToLeave: string | undefined
        readonly isRepeated: boolean
      }
    | { readonly kind: 'change'; readonly updates: readonly FileUpdate[] }
    | { readonly kind: 'other' }
}

export function callOfRequest(
  method: string,
  params: Payload,
  {
    item,
    callId,
    folder,
  }: { readonly item: Payload | undefined; readonly callId: string; readonly folder: string },
): AgentCall {
  const reported = item === undefined ? undefined : callOfItem(item, folder)
  if (reported !== undefined && !isStdin(params)) return { ...reported, callId }
  if (method === 'item/fileChange/requestApproval')
    return { kind: 'call', callId, tool: 'apply_patch', args: {}, effect: 'write' }
  const tool = isStdin(params) ? 'write_stdin' : 'exec_command'
  return { kind: 'call', callId, tool, args: commandOf(params, folder), effect: 'execute' }
}

function isStdin(params: Payload): boolean {
  return textIn(params, 'kind') === 'writeStdin'
}

export function subjectOf(
  method: string,
  params: Payload,
  {
    item,
    isRepeated,
    folder,
  }: { readonly item: Payload | undefined; readonly isRepeated: boolean; readonly folder: string },
): PermissionRequest['subject'] {
  if (method === 'item/fileChange/requestApproval')
    return item === undefined ? { kind: 'other' } : { kind: 'change', updates: updatesOf(item) }
  const kind = textIn(params, 'kind') ?? 'command'
  const asked = commandOf(params, folder)
  const script = textIn(payloadOf(asked), 'command') ?? ''
  if (kind !== 'command' || script === '') return { kind: 'other' }
  return {
    kind: 'command',
    script,
    folder: textIn(params, 'cwd') ?? folder,
    asksToLeave:
      textIn(params, 'reason') ??
      (payloadOf(params['additionalPermissions']) === undefined ? undefined : 'it needs more permissions'),
    isRepeated,
  }
}
