import { maskText } from '@donecheck/core/secrets'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { secretsOf } from '../../settings/secrets.ts'
import { namesJudge, withRubricRead } from './judge.ts'
import { withRepliesRead } from './replies.ts'

/**
 * Reads rubrics, replies and project rules before the agent can change them. @param workFolder undefined for all projects
 * @throws {UsageError} for a file that cannot be used
 */
export async function withTextsRead(
  config: Config,
  workFolder: string | undefined,
  io: Pick<CliIo, 'currentFolder' | 'environment'>,
): Promise<Config> {
  const read = await withRepliesRead(withRubricRead(config, io), io)
  return namesJudge(read) ? { ...read, keptJudgeRules: await rulesOf(read, workFolder, io) } : read
}

/** Masks secrets without the marker that would make the record incomplete. */
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

export function leftOutOf({ verifyReplies = false, hooks }: Config): readonly string[] {
  return [
    ...(verifyReplies === false ? [] : [sentences.verifyReplies]),
    ...(hooks === undefined ? [] : [sentences.hooks]),
  ]
}
