/** What stands in files and tells judges what to go by is read once, before the agent begins: it may write into them. */
import { maskText } from '@donecheck/core/secrets'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { secretsOf } from '../../settings/secrets.ts'
import { namesJudge, withRubricRead } from './judge.ts'
import { withRepliesRead } from './replies.ts'

/**
 * Rubric, replies of an `openclaw.json`, and the rules of the project, which are kept with the run.
 * @param workFolder undefined: of no one project, so that no rules are shown
 * @throws {UsageError} for a file that is named and cannot be used
 */
export async function withTextsRead(
  config: Config,
  workFolder: string | undefined,
  io: Pick<CliIo, 'currentFolder' | 'environment'>,
): Promise<Config> {
  const read = await withRepliesRead(withRubricRead(config, io), io)
  return namesJudge(read) ? { ...read, keptJudgeRules: await rulesOf(read, workFolder, io) } : read
}

/** What is secret in them stands in no record, and with it no mark that says that a record lacks something. */
async function rulesOf(
  { judge, secrets = [] }: Config,
  workFolder: string | undefined,
  { environment }: Pick<CliIo, 'environment'>,
): Promise<NonNullable<Config['keptJudgeRules']>> {
  if (workFolder === undefined) return []
  const { readProjectRules } = await import('@donecheck/engine/judge')
  return readProjectRules(workFolder, judge?.rules).map(({ name, text }) => ({
    name,
    text: maskText(text, secretsOf(environment, secrets)).replaceAll('[masked:', '[hidden:'),
  }))
}

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
