import type { ReplySkip } from '../../events/index.ts'
import type { RunState } from '../../state/index.ts'

/** Why the latest reply is not judged; what counts is what the drive did since its last claim was answered. */
export function skipOf({ replyCheck, tally }: RunState): ReplySkip | undefined {
  const latest = replyCheck?.latest
  if (latest === undefined) return 'empty-reply'
  if (latest.calls > 0) return 'pending-tool-calls'
  if ((replyCheck?.exchange.sends ?? []).length > 0) return 'sent-by-tool'
  if (replyCheck?.exchange.streamed === true) return 'streamed'
  if (latest.text.trim() === '') return 'empty-reply'
  return latest.isError || !tally.claimed ? 'error-reply' : undefined
}

/** The user has it already. */
export function isDelivered(skip: ReplySkip | undefined): boolean {
  return skip === 'sent-by-tool' || skip === 'streamed'
}

export const skipWords: Readonly<Record<ReplySkip, string>> = {
  'pending-tool-calls': 'the drive has not answered yet: its calls were pending',
  'sent-by-tool': 'a messaging tool has sent it',
  streamed: 'it was streamed to its reader while it came in',
  'empty-reply': 'it is empty',
  'error-reply': 'it was cut off, or ended in an error',
}
