import type { CommandCheck } from '@donecheck/core/internal/goal'
import type { CheckingOptions } from '@donecheck/engine/internal/loop/compose'
import {
  verifierFor,
  type CheckConfig,
  type CheckSpec,
  type Config,
  toMilliseconds,
} from '../../config/index.ts'
import {
  allRequired,
  deterministicVeto,
  quorum,
  weightedScore,
  type Aggregator,
} from '@donecheck/core/internal/decide/aggregate'
import { given, UsageError } from '@donecheck/engine/internal/base'
import { heartbeatCheck } from '@donecheck/engine/internal/checks/heartbeat'
import type { Verifier } from '@donecheck/engine/internal/ports/checks'
import {
  buildPass,
  command,
  lintPass,
  testsPass,
  typecheckPass,
  type CommandOptions,
} from '@donecheck/engine/verify'
import type { CheckContext } from './judging/judges.ts'

const presets = {
  tests: testsPass,
  lint: lintPass,
  typecheck: typecheckPass,
  build: buildPass,
} as const

/** @throws {UsageError} for held-out checks alone */
export async function checksOf(context: CheckContext): Promise<readonly Verifier[]> {
  const { config } = context
  const { checks = [], keptHeartbeat: plan } = config
  const heartbeat = plan === undefined ? [] : [heartbeatCheck({ plan })]
  const others = checks.length === 0 ? [] : await otherChecks(checks, context)
  return [...commandChecks(config), ...others, ...heartbeat, ...heldOutChecks(config)]
}

async function otherChecks(
  checks: readonly CheckSpec[],
  context: CheckContext,
): Promise<readonly Verifier[]> {
  const { checkParts } = await import('./judging/judges.ts')
  const parts = checkParts(context, verifyTimeoutMs(context.config))
  return Promise.all(checks.map((check) => verifierFor(check, parts)))
}

const defaultVerifyTimeoutSeconds = 300

function verifyTimeoutMs({ verifyTimeoutSeconds = defaultVerifyTimeoutSeconds }: Config): number {
  return verifyTimeoutSeconds * 1000
}

export function namesChecks({ until = [], presets = [], checks = [] }: Config): boolean {
  return until.length + presets.length + checks.length > 0
}

/** A check added during the run gets the settings of the others. */
export function checkAdded({ name, command: line }: CommandCheck, config: Config): Verifier {
  return command(line, commandOptions({ name, command: line }, config))
}

function commandChecks(config: Config): readonly Verifier[] {
  return [
    ...(config.until ?? []).map((check) => command(check.command, commandOptions(check, config))),
    ...(config.presets ?? []).map((name) => presets[name](sharedOptions(config))),
  ]
}

function heldOutChecks(config: Config): readonly Verifier[] {
  const heldOut = config.heldOut ?? []
  if (heldOut.length > 0 && !namesChecks(config))
    throw new UsageError(
      'held-out checks come after the others: name a check with --until, --preset or --check too',
    )
  return heldOut.map((check, index) =>
    command(check.command, {
      ...commandOptions(check, config),
      // The agent may read names in the record, so they must not contain the command.
      name: check.name ?? `held-out ${index + 1}`,
      role: 'held-out',
    }),
  )
}

function commandOptions(check: CheckConfig, config: Config): CommandOptions {
  const { name, required, weight, timeoutSeconds, retryFailures, exclusive } = check
  return {
    ...sharedOptions(config),
    ...given({ name, required, weight, exclusive, timeoutMs: toMilliseconds(timeoutSeconds) }),
    ...(retryFailures === undefined ? {} : { retry: { failure: retryFailures } }),
  }
}

function sharedOptions(config: Config): CommandOptions {
  const { retryFailures: failure, preExisting, mayChange } = config
  const retry = failure === undefined ? undefined : { failure }
  return { timeoutMs: verifyTimeoutMs(config), ...given({ retry, preExisting, mayDrop: mayChange }) }
}

/** @throws {UsageError} if a waiver or quarantine has expired */
export function checkingOptions(config: Config, nowMs: number): CheckingOptions {
  const { trustChecks, aggregate, failFast, parallelChecks: maxParallelChecks } = config
  assertNotExpired(config, nowMs)
  return {
    waive: (config.waive ?? []).flatMap((waiver) => ('check' in waiver ? [waiver] : [])),
    quarantine: config.quarantine ?? [],
    ...given({ trustChecks, maxParallelChecks, failFast, aggregate: aggregate && toAggregator(aggregate) }),
  }
}

function assertNotExpired({ waive = [], quarantine = [] }: Config, nowMs: number): void {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  for (const [list, entries] of Object.entries({ waive, quarantine }))
    for (const entry of entries)
      if (entry.until < today)
        throw new UsageError(
          `${list}: what ${entry.by} let pass (${'check' in entry ? entry.check : 'rule' in entry ? entry.rule : entry.path}: ${entry.reason}) was good until ${entry.until}; take it out, or give it a new day`,
        )
}

function toAggregator(aggregate: NonNullable<Config['aggregate']>): Aggregator {
  if (aggregate === 'deterministic-veto') return deterministicVeto
  if (aggregate === 'all-required') return allRequired
  if ('quorum' in aggregate) return quorum(aggregate.quorum)
  return weightedScore(aggregate.weightedScore)
}
