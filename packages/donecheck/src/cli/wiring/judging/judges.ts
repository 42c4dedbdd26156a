/** Judges by their names: who is asked, whether its word may decide, and what is said where it may not. */
import type { Config, JudgedOptions, NamedOptions } from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/base'
import { calibrationKey, readCalibration, trustOf, type Trust } from '@donecheck/engine/calibration'
import {
  judgeAccount,
  judgePanel,
  modelJudge,
  readProjectRules,
  readyRubrics,
  rubricOf,
  type JudgeAccount,
} from '@donecheck/engine/judge'
import type { Judge } from '@donecheck/engine/ports/judges'
import type { Verifier } from '@donecheck/engine/ports/checks'
import type { Store } from '@donecheck/engine/ports/store'
import { judgedBy } from '@donecheck/engine/verify'
import type { CliIo } from '../../process/io.ts'
import { secretsOf } from '../../settings/secrets.ts'

type Asked = Pick<NonNullable<Config['judge']>, 'models' | 'baseUrl' | 'atLeast'>

/** One model, or a panel of several; all else is as the configuration has it for judges. @throws {UsageError} for a model that is none */
export function judgeOf(
  config: Config,
  { models, baseUrl, atLeast }: Asked,
  workFolder: string,
  { environment }: Pick<CliIo, 'environment'>,
): Judge {
  const { prices, secrets = [], keptJudgeRules } = config
  const { categories, rules, timeoutSeconds, seed } = config.judge ?? {}
  const shared = {
    account: accountOf(config),
    environment,
    rules: keptJudgeRules ?? readProjectRules(workFolder, rules),
    secrets: secretsOf(environment, secrets),
    ...given({ baseUrl, categories, prices, seed }),
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: Math.ceil(timeoutSeconds * 1000) }),
  }
  const judges = models.map((model) => modelJudge({ ...shared, model }))
  const [only] = judges
  if (only !== undefined && judges.length === 1) {
    if (atLeast !== undefined && atLeast > 1)
      throw new UsageError(`judge.atLeast is ${atLeast}, and there is one judge; name more with --judge`)
    return only
  }
  return judgePanel(judges, given({ atLeast, seed }))
}

const accounts = new WeakMap<Config, JudgeAccount>()

/** Returns the same account for every judge of a configuration, so that its limits hold for all of them together. */
export function accountOf(config: Config): JudgeAccount {
  const existing = accounts.get(config)
  if (existing !== undefined) return existing
  const { maxJudgeCostUsd, judge: { maxTokens } = {} } = config
  const account = judgeAccount(
    given({ maxCostUsd: maxJudgeCostUsd === 'off' ? undefined : maxJudgeCostUsd, maxTokens }),
  )
  accounts.set(config, account)
  return account
}

/** What was measured of this judge with this rubric, in this store. */
export function trustIn({ folder }: Pick<Store, 'folder'>, judge: Judge, rubric: string): Trust {
  const key = calibrationKey(judge, rubric)
  return trustOf(key === undefined || folder === null ? undefined : readCalibration(folder, key))
}

interface JudgedCheck {
  readonly spec: JudgedOptions
  readonly options: NamedOptions
  /** The outermost check that it is a part of. Undefined: it is a check by itself. */
  readonly within: { readonly name: string | undefined } | undefined
  readonly judge: Judge
  readonly store: Pick<Store, 'folder'>
  /** Somebody has said by name that these are believed. */
  readonly trusted: readonly string[]
}

/**
 * A judge that was not measured enough advises, and every verdict of it says so. To decide it must be believed by name.
 * @throws {UsageError} where it is told to decide, as a part of another check too, and may not
 */
export function judgedCheck({ spec, options, within, judge, store, trusted }: JudgedCheck): Verifier {
  const rubric = rubricOf(spec.rubric)
  const name = options.name ?? `${judge.name}: ${titleOf(spec.rubric)}`
  const trust = trustIn(store, judge, rubric)
  const believedAs = within === undefined ? name : within.name
  const isTrusted = believedAs !== undefined && trusted.includes(believedAs)
  const mayDecide = trust.kind === 'calibrated' || isTrusted
  const isTold = within === undefined ? spec.required === true : spec.required !== false
  if (trust.kind === 'uncalibrated' && isTold && !isTrusted)
    throw new UsageError(
      `the judge of "${name}" ${trust.reason}, so it may not decide: ${waysOut(judge, spec, believedAs)}`,
    )
  const { minScore, reads, quotesFrom } = spec
  return judgedBy(judge, {
    ...options,
    // The judge has tried again itself.
    retry: { infrastructure: 0 },
    name,
    rubric,
    required: mayDecide && spec.required !== false,
    uncalibrated: trust.kind === 'uncalibrated',
    ...given({ minScore, reads, quotesFrom }),
  })
}

function waysOut(judge: Judge, { rubric }: JudgedOptions, believedAs: string | undefined): string {
  const named = rubric in readyRubrics ? rubric : '…'
  const byName =
    believedAs === undefined ? 'give the whole check a name and believe that' : 'believe it by name'
  return `measure it with donecheck judge calibrate --judge ${judge.name} --rubric ${named}, let it advise with "required": false, or ${byName} with --trust-check "${believedAs ?? '…'}"`
}

const maxTitleLength = 40

function titleOf(rubric: string): string {
  const [line = ''] = rubric.trim().split('\n')
  return line.length <= maxTitleLength ? line : `${line.slice(0, maxTitleLength).trimEnd().toWellFormed()}…`
}
