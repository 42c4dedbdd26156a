import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ReplyVerification } from '@donecheck/engine/compose'
import { given, UsageError } from '@donecheck/engine/base'
import type { Verifier } from '@donecheck/engine/ports/checks'
import { repliesOfOpenclaw, type Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'

/** Read at the start; explicit settings take precedence. */
export async function withRepliesRead(
  config: Config,
  { currentFolder }: Pick<CliIo, 'currentFolder'>,
): Promise<Config> {
  const { verifyReplies = false } = config
  if (verifyReplies === false || verifyReplies.openclaw === undefined) return config
  const { openclaw, agent, ...own } = verifyReplies
  const file = resolve(currentFolder, openclaw)
  if (!existsSync(file)) throw new UsageError(`there is no ${file}, which verifyReplies.openclaw names`)
  const { replies, judge } = await repliesOfOpenclaw(readFileSync(file, 'utf8'), file, agent)
  const { models = judge.models, ...rest } = { ...judge, ...config.judge }
  return {
    ...config,
    verifyReplies: replies && { ...replies, ...own },
    ...(models === undefined ? {} : { judge: { ...rest, models } }),
  }
}

/** @returns undefined if replies are not judged @throws {UsageError} if there is no judge */
export function replyVerification(
  { verifyReplies, keptHeartbeat }: Config,
  judges: readonly Verifier[],
): ReplyVerification | undefined {
  if (verifyReplies === undefined || verifyReplies === false) return undefined
  const isHeartbeat = keptHeartbeat !== undefined
  if (isHeartbeat && verifyReplies.heartbeat !== true) return undefined
  const [judge] = judges
  if (judge === undefined)
    throw new UsageError('verifyReplies needs a judge: name one with --judge provider/model')
  const { all = false, keywords, negations, maxAttempts, onUndecided, messagingTools } = verifyReplies
  return {
    judge,
    verifyAll: all || isHeartbeat,
    ...given({ keywords, negations, maxAttempts, onUndecided, messagingTools }),
  }
}
