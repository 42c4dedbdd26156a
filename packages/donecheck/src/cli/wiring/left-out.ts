/** What is configured and only a run of our own can do: whoever asks elsewhere is told, for none of it may be taken for done. */
import type { Config } from '../../config/index.ts'

const sentences = {
  seal: 'seal: no checks are sealed here; donecheck run has them written before its first turn',
  verifyReplies: 'verifyReplies: no reply is held back here; donecheck run verifies replies',
  hooks: 'hooks: no command is called here; donecheck run calls them',
  authorityJudge: 'authorityJudge: no task is known here, so a person is asked about changed checks',
} as const

/** A sentence for each. @param hasTask whether it is known what was asked for */
export function leftOutOf(config: Config, { hasTask }: { readonly hasTask: boolean }): readonly string[] {
  const { seal = [], verifyReplies = false, hooks, authorityJudge } = config
  return [
    ...(seal.length === 0 ? [] : [sentences.seal]),
    ...(verifyReplies === false ? [] : [sentences.verifyReplies]),
    ...(hooks === undefined ? [] : [sentences.hooks]),
    ...(authorityJudge === undefined || hasTask ? [] : [sentences.authorityJudge]),
  ]
}
