import type { HostAnswer } from '../host/index.ts'
import type { HookReply } from './hook-protocol.ts'
import { payloadOf, type Payload } from './payload.ts'
import { jsonOf } from '@donecheck/engine/base'

/** What of an answer is for the model to read; empty: nothing. */
export function textOfAnswer(answer: HostAnswer): string {
  if (answer.kind === 'pass') return answer.context ?? ''
  if (answer.kind === 'end') return answer.message
  return answer.kind === 'block' ? answer.feedback : answer.reason
}

/** Nothing to say. */
export const silence: HookReply = { exitCode: 0, stdout: '', stderr: '' }

/** Always by JSON and exit code 0: an exit code that blocks is taken for a broken hook by some, and for a warning by others. */
export function jsonReply(answer: object): HookReply {
  return Object.keys(answer).length === 0
    ? silence
    : { exitCode: 0, stdout: JSON.stringify(answer), stderr: '' }
}

/** What an agent reads from a hook that ended well: nothing, an object, or something that is no answer. */
export function answerIn(reply: HookReply): Payload | 'nothing' | 'invalid' {
  if (reply.exitCode !== 0) return 'invalid'
  if (reply.stdout.trim() === '') return 'nothing'
  return payloadOf(jsonOf(reply.stdout)) ?? 'invalid'
}

/** Agents cut long answers of hooks, or move them into files: the two ends are kept, the middle is not. */
const maxCharacters = 9000

export function inBounds(text: string): string {
  if (text.length <= maxCharacters) return text
  const half = Math.floor(maxCharacters / 2)
  const omitted = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${omitted} characters left out …]\n${text.slice(-half)}`
}

/**
 * Stands before feedback that an agent hands to its model as if its user had said it, so that its next prompt is known for
 * what it is.
 */
const blockedHeading = 'donecheck: this is not done yet.'

export function underHeading(feedback: string): string {
  return inBounds(`${blockedHeading}\n${feedback}`)
}

/** The prompt is our own feedback, told again. */
export function isBlockedFeedback(prompt: string): boolean {
  return prompt.trimStart().startsWith(blockedHeading)
}
