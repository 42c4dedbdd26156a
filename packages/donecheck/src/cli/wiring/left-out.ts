/** What is configured and only a run of our own can do: whoever asks elsewhere is told, for none of it may be taken for done. */
import type { Config } from '../../config/index.ts'

const sentences = {
  verifyReplies: 'verifyReplies: no reply is held back here; donecheck run verifies replies',
  hooks: 'hooks: no command is called here; donecheck run calls them',
} as const

/** A sentence for each. */
export function leftOutOf({ verifyReplies = false, hooks }: Config): readonly string[] {
  return [
    ...(verifyReplies === false ? [] : [sentences.verifyReplies]),
    ...(hooks === undefined ? [] : [sentences.hooks]),
  ]
}
