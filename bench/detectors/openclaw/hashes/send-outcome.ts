/** Results of tools that send messages: fresh ids and times would make each of them different. */
import type { ToolUse } from '../records.ts'
import { isPlainObject, type PlainObject } from '../values.ts'

const sendTools = new Set(['sessions_send', 'conversations_send', 'conversations_turn'])

const sendActions = new Set([
  'send',
  'broadcast',
  'reply',
  'thread-reply',
  'sendWithEffect',
  'sendAttachment',
  'upload-file',
  'sticker',
  'poll',
])

const volatileKeys = new Set([
  'messageId',
  'message_id',
  'messageIds',
  'platformMessageId',
  'platformMessageIds',
  'fileId',
  'file_id',
  'fileKey',
  'pollId',
  'poll_id',
  'receipt',
  'runId',
  'idempotencyKey',
  'ts',
  'timestamp',
  'sentAt',
  'deliveredAt',
  'createdAt',
])

/** `isDockedSend`: whether a tool that a channel brought along sends. There it is asked of the loaded channels. */
export function isSend({ toolName, params }: ToolUse, isDockedSend: (use: ToolUse) => boolean): boolean {
  if (sendTools.has(toolName)) return true
  if (toolName !== 'message') return isDockedSend({ toolName, params })
  const action = isPlainObject(params) ? params['action'] : undefined
  return typeof action === 'string' && sendActions.has(action)
}

/** Ids of routes and conversations stay, so another recipient is another result. */
export function withoutVolatileIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVolatileIds)
  if (!isPlainObject(value)) return value
  const isDelivery = isMessage(value)
  const kept = Object.entries(value).filter(
    ([key]) => !volatileKeys.has(key) && !(key === 'id' && isDelivery),
  )
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutVolatileIds(field)]))
}

function isMessage({ id, text, direction, senderId, accountId, conversation }: PlainObject): boolean {
  const hasParty = [direction, senderId, accountId].some((party) => typeof party === 'string')
  return typeof id === 'string' && typeof text === 'string' && (hasParty || isPlainObject(conversation))
}
