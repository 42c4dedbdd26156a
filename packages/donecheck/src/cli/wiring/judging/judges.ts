import {
  type Config,
  type JudgedOptions,
  type NamedOptions,
  type CheckParts,
  toMilliseconds,
} from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/internal/base'
import {
  calibrationKey,
  readCalibration,
  trustOf,
  type Trust,
} from '@donecheck/engine/internal/checks/calibration'
import {
  judgeAccount,
  judgePanel,
  modelJudge,
  readProjectRules,
  readyRubrics,
  rubricOf,
  type JudgeAccount,
} from '@donecheck/engine/judge'
import type { Judge } from '@donecheck/engine/internal/ports/judges'
import type { Verifier, Human } from '@donecheck/engine/internal/ports/checks'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { judgedBy } from '@donecheck/engine/verify'
import type { CliIo } from '../../process/io.ts'
import { storeHuman } from '@donecheck/engine/internal/policy/approvals'
import { terminalHuman } from '../../../terminal/index.ts'
import { waysToAnswer } from '../gate/gate.ts'
import type { Settings } from '../../settings/store-folder.ts'
import type { Questions } from '@donecheck/engine/internal/ports/questions'
import { secretsOf } from '../../settings/secrets.ts'

type Asked = Pick<NonNullable<Config['judge']>, 'models' | 'baseUrl' | 'atLeast'>

/** One judge, or a panel of several. @throws {UsageError} for an unknown model */
export function judgeOf(
  config: Config,
  { models, baseUrl, atLeast }: Asked,
  workFolder: string,
  { environment }: Pick<CliIo, 'environment'>,
): Judge {
  const { prices, secrets = [], keptJudgeRules } = config
  const { categories, rules, timeoutSeconds } = config.judge ?? {}
  const shared = {
    account: accountOf(config),
    environment,
    rules: keptJudgeRules ?? readProjectRules(workFolder, rules),
    secrets: secretsOf(environment, secrets),
    ...given({ baseUrl, categories, prices, timeoutMs: toMilliseconds(timeoutSeconds) }),
  }
  const judges = models.map((model) => modelJudge({ ...shared, model }))
  const [only] = judges
  if (only !== undefined && judges.length === 1) {
    if (atLeast !== undefined && atLeast > 1)
      throw new UsageError(`judge.atLeast is ${atLeast}, and there is one judge; name more with --judge`)
    return only
  }
  return judgePanel(judges, given({ atLeast }))
}

const accounts = new WeakMap<Config, JudgeAccount>()

/** All judges of a configuration share one account, so that its limits hold together. */
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

export function trustIn({ folder }: Pick<Store, 'folder'>, judge: Judge, rubric: string): Trust {
  const key = calibrationKey(judge, rubric)
  return trustOf(key === undefined || folder === null ? undefined : readCalibration(folder, key))
}

interface JudgedCheck {
  readonly spec: JudgedOptions
  readonly options: NamedOptions
  /** The outermost check that contains it. */
  readonly within: { readonly name: string | undefined } | undefined
  readonly judge: Judge
  readonly store: Pick<Store, 'folder'>
  readonly trusted: readonly string[]
}

/** Only advises unless measured or trusted. @throws {UsageError} if it is required and may not decide */
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
    // The judge retries itself.
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

export interface CheckContext extends Settings {
  readonly store: Pick<Store, 'folder'> & Questions
  /** Without streams there is no terminal to ask at. */
  readonly io: Pick<CliIo, 'environment' | 'homeFolder'> & Partial<Pick<CliIo, 'stdin' | 'stderr'>>
}

/** @param timeoutMs of checks without a timeout of their own */
export function checkParts(context: CheckContext, timeoutMs: number): CheckParts {
  const { config, workFolder, store, io } = context
  const trusted = (config.trustChecks ?? []).map(({ check }) => check)
  return {
    human: humanFor(context),
    judged(spec, options, within) {
      const judge = judgeOf(config, askedBy(spec, config), workFolder, io)
      return Promise.resolve(judgedCheck({ spec, options, within, judge, store, trusted }))
    },
    environment: io.environment,
    timeoutMs,
  }
}

/** @throws {UsageError} if neither the check nor the run names a judge */
function askedBy({ model, baseUrl }: JudgedOptions, { judge }: Config) {
  if (model !== undefined) return { models: [model], ...given({ baseUrl }) }
  if (judge !== undefined) return judge
  throw new UsageError('a check asks a judge, and none is named: give it a model, or name one with --judge')
}

function humanFor({ config: { secrets = [] }, store, io }: CheckContext): Human {
  const { stdin, stderr, environment } = io
  const isAtTerminal = stdin?.isTTY === true && stderr?.isTTY === true
  return storeHuman({
    store,
    secrets: secretsOf(environment, secrets),
    ...(isAtTerminal
      ? { beside: terminalHuman({ input: stdin, output: stderr }) }
      : { onWaiting: ({ id }) => stderr?.write(`${waysToAnswer(id)}\n`) }),
  })
}
