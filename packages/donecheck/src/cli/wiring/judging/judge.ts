import { type CheckSpec, type Config, repliesOfOpenclaw } from '../../../config/index.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError, given } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import type { Verifier } from '@donecheck/engine/internal/ports/checks'
import type { CliIo } from '../../process/io.ts'
import type { ReplyVerification } from '@donecheck/engine/internal/loop/compose'
import { maskText } from '@donecheck/core/internal/secrets'
import { secretsOf } from '../../settings/secrets.ts'

export interface JudgeRequest {
  readonly config: Config
  readonly workFolder: string
  readonly store: Pick<Store, 'folder'>
  readonly io: Pick<CliIo, 'environment'>
  /** `workspace`: there is no answer to judge. */
  readonly reads: 'workspace' | 'answer'
}

const checkName = 'judge'

/** @throws {UsageError} for judge options without a judge, and for an unknown model */
export async function judgeChecks({
  config,
  workFolder,
  store,
  io,
  reads,
}: JudgeRequest): Promise<readonly Verifier[]> {
  const { judge, rubric, trustChecks = [] } = config
  if (judge === undefined) {
    const idle = [
      rubric === undefined ? '' : '--rubric',
      (config.maxJudgeCostUsd ?? 'off') === 'off' || namesJudge(config) ? '' : 'maxJudgeCostUsd',
    ]
    const named = idle.filter((flag) => flag !== '')
    if (named.length > 0)
      throw new UsageError(`${named.join(' and ')} is for a judge: name one with --judge provider/model`)
    return []
  }
  const { defaultRubric, judgeCheck, rubricOf } = await import('@donecheck/engine/judge')
  const { judgeOf, trustIn } = await import('./judges.ts')
  const trusted = trustChecks.some(({ check }) => check === checkName)
  const asked = judgeOf(config, judge, workFolder, io)
  const wanted = rubric === undefined ? defaultRubric : rubricOf(rubric)
  const calibrated = trustIn(store, asked, wanted).kind === 'calibrated'
  return [judgeCheck(asked, { name: checkName, rubric: wanted, calibrated, trusted, reads })]
}

export function namesJudge({ judge, checks = [] }: Config): boolean {
  return judge !== undefined || checks.some(isJudge)
}

function isJudge(check: CheckSpec): boolean {
  return 'of' in check ? check.of.some(isJudge) : check.kind === 'judge'
}

/** Read at the start: the agent may change the file. @throws {UsageError} if it is empty */
export function withRubricRead(config: Config, { currentFolder }: Pick<CliIo, 'currentFolder'>): Config {
  const { rubric } = config
  if (rubric === undefined || rubric.includes('\n')) return config
  const file = resolve(currentFolder, rubric)
  if (!existsSync(file) || !statSync(file).isFile()) return config
  const text = readFileSync(file, 'utf8').trim()
  if (text === '') throw new UsageError(`the rubric ${file} is empty; say what must be fulfilled`)
  return { ...config, rubric: text }
}

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

/** Reads rubrics, replies and rules before the agent can change them. @throws {UsageError} if invalid */
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
