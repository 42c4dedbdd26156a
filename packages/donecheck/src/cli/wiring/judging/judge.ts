import type { CheckSpec, Config } from '../../../config/index.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import type { Verifier } from '@donecheck/engine/ports/checks'
import type { CliIo } from '../../process/io.ts'

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
