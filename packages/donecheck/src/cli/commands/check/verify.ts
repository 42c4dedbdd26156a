import { verifyWork } from '@donecheck/engine/internal/loop/compose'
import type { Config } from '../../../config/index.ts'
import { UsageError, donecheckVersion } from '@donecheck/engine/internal/base'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { resultLine, junitReport, type CheckedReport } from '@donecheck/engine/display'
import type { OneVerification } from '@donecheck/engine/internal/loop/run'
import { findRepository, runGit } from '@donecheck/engine/internal/system/process'
import { gitOrWalkWorkspace } from '@donecheck/engine/internal/system/trees'
import { keepOwnModules } from '../../process/own-modules.ts'
import type { CliIo } from '../../process/io.ts'
import { resolveSettings, configDigests, configLocationOf } from '../../settings/settings.ts'
import { writeNotice } from '../../output/wrap.ts'
import {
  jsonOutput,
  observed,
  quietOutput,
  type Output,
  verificationOutput,
} from '../../output/text-output.ts'
import { judgeChecks, withRubricRead, leftOutOf } from '../../wiring/judging/judge.ts'
import { watchTree } from '../../tree/watch-tree.ts'
import { type Settings, assertRunnable, withOpenStore } from '../../settings/store-folder.ts'
import { interruptible } from '../../process/signals.ts'
import { approverOf } from '../../wiring/gate/gate.ts'
import {
  recipeOf,
  recipeOfBaseline,
  readBaseline,
  type Baseline,
  baselineTask,
} from '../../settings/recipe.ts'
import { guardChoices } from '../../wiring/judging/judging-options.ts'
import type { RunState } from '@donecheck/core/internal/state'
import { buildReceipt } from '@donecheck/engine/receipt'
import { writeText } from '../../process/failure.ts'
import { checksOf, checkingOptions } from '../../wiring/checks.ts'
import { openTelemetry } from '../../wiring/loop/notify.ts'
import { readGitSubject } from '../../tree/git.ts'
import { withSomeCheck } from '../../wiring/some-check.ts'
import type { RunFlags, Flags } from '../../options/flags.ts'
import { secretsOf } from '../../settings/secrets.ts'

type VerifyFlags = RunFlags &
  ReportFlags &
  Flags<'at', 'json' | 'watch' | 'asBaseline'> & { readonly verdictCache?: 'off' }

export async function verifyCommand(flags: VerifyFlags, io: CliIo): Promise<number> {
  const settings = await resolveSettings(flags, io)
  assertRunnable(settings, io)
  if (flags.asBaseline !== true && flags.at !== undefined)
    throw new UsageError('--at names what is recorded: give --as-baseline too')
  const config = await withSomeCheck(withRubricRead(settings.config, io), settings.workFolder, io)
  if (flags.asBaseline !== true) for (const line of leftOutOf(config)) writeNotice(line, io)
  return verify({ ...settings, config }, flags, io)
}

export async function verify(settings: Settings, flags: VerifyFlags, io: CliIo): Promise<number> {
  return withOpenStore(settings, io, (store) =>
    interruptible(io, async (signal) => {
      keepOwnModules()
      const request = { ...settings, store, flags, io, signal }
      const once = () => (flags.asBaseline === true ? recordBaseline(request) : verifyOnce(request))
      if (flags.watch !== true) return once()
      const workspace = gitOrWalkWorkspace(settings.workFolder)
      return watchTree({ workspace, signal, notice: (text) => io.stderr.write(`${text}\n`) }, once)
    }),
  )
}

interface Request extends Settings {
  readonly store: Store
  readonly flags: VerifyFlags
  readonly io: CliIo
  readonly signal: AbortSignal
}

/** @param isCompared false if there is no baseline to compare with */
async function optionsOf(request: Request, baseline: Baseline, isCompared: boolean) {
  const { config, workFolder, store, io, signal } = request
  if (config.tamperGuard === false && baseline.kind !== 'none')
    throw new UsageError('a baseline is compared with by the tamper guard, and that is switched off')
  return {
    ...{ workFolder, store, signal },
    hardVerifiers: await checksOf(request),
    guard: isCompared ? guardChoices(config, io.homeFolder, baseline) : (false as const),
    approver: approverOf(config, io, { interrupt: () => undefined }),
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...checkingOptions(config, Date.now()),
  }
}

async function verifyOnce(request: Request): Promise<number> {
  const { config, store, flags, io, workFolder, signal } = request
  const output = observed(outputFor(config, flags, io), io)
  const telemetry = await openTelemetry(io, (message) => output.notice(message))
  const baseline = await readBaseline(config.baseline, store)
  if (baseline.kind === 'revision') await assertRevision(baseline.revision, workFolder, signal)
  const isCompared =
    baseline.kind !== 'none' || config.checkIn === 'clean-room' || config.heldOutFiles !== undefined
  const events: RunEvent[] = []
  const options = await optionsOf(request, baseline, isCompared)
  const judges = await judgeChecks({ ...request, reads: 'workspace' })
  const hardVerifiers = [...options.hardVerifiers, ...judges]
  const { state } = await verifyWork({
    ...options,
    recallVerdicts: flags.verdictCache === undefined,
    task: `verify: ${hardVerifiers.map(({ description }) => description.name).join(', ')}`,
    hardVerifiers,
    baseline: lookOf(baseline, isCompared),
    onEvent(event, after) {
      events.push(event)
      output.event(event, after)
      telemetry?.observe(event)
    },
  })
  output.close()
  await writeCheckReports(state, events, flags, io)
  const line = resultLine(state)
  output.end(line)
  await telemetry?.flush()
  return line.exitCode
}

/** Exits with 0 for a red baseline, too; only one that could not be checked fails. */
async function recordBaseline(request: Request): Promise<number> {
  const { config, workFolder, flags, io } = request
  const output = flags.json === true ? jsonOutput(io, { stream: false }) : verificationOutput(io, io.stderr)
  const baseline: Baseline =
    flags.at === undefined ? { kind: 'none' } : { kind: 'revision', revision: flags.at }
  const { state } = await verifyWork({
    ...(await optionsOf(request, baseline, true)),
    recipe: recipeOfBaseline(config, await configDigests(configLocationOf(flags, workFolder, io))),
    task: baselineTask,
    baseline: 'look',
    only: 'baseline',
    onEvent: (event, after) => output.event(event, after),
  })
  const line = resultLine(state)
  const exitCode = ['verified', 'failed'].includes(line.outcome) ? 0 : line.exitCode
  if (flags.json === true) output.end({ ...line, exitCode })
  else io.stdout.write(`${state.runId}\n`)
  output.close()
  return exitCode
}

/** @throws {UsageError} with git's own reason if there is no such revision */
async function assertRevision(revision: string, workFolder: string, signal: AbortSignal): Promise<void> {
  const place = findRepository(workFolder)
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const answer = place === undefined ? undefined : await runGit(place, words, signal)
  if (answer?.exitCode === 0) return
  // With --quiet, git exits with 1 for an unknown revision and with 128 if it refuses to look.
  if (answer !== undefined && answer.exitCode !== 1)
    throw new UsageError(`--baseline ${revision}: git refuses to read ${workFolder}: ${answer.problem}`)
  throw new UsageError(
    `--baseline ${revision}: git finds no such revision in ${workFolder}, and no recorded baseline has that id; see: git rev-parse ${revision}`,
  )
}

function outputFor({ quiet }: Config, flags: VerifyFlags, io: CliIo): Output {
  if (flags.json === true) return jsonOutput(io, { stream: false })
  return quiet === true ? quietOutput(verificationOutput(io)) : verificationOutput(io)
}

function lookOf(baseline: Baseline, isCompared: boolean): OneVerification['baseline'] {
  switch (baseline.kind) {
    case 'none':
      return isCompared ? 'snapshot' : 'none'
    case 'revision':
      return 'look'
    case 'recorded':
      return baseline.events
  }
}

export type ReportFlags = Flags<'junit' | 'receipt'>

export function checkedReport(state: RunState): CheckedReport {
  const { phase, settings } = state
  return {
    verdicts: resultLine(state).verdicts,
    verifiers: settings.verifiers,
    ...(phase.kind === 'stopped' ? { outcome: phase.transition.outcome } : {}),
    version: donecheckVersion,
  }
}

export async function writeCheckReports(
  state: RunState,
  events: readonly RunEvent[],
  flags: ReportFlags,
  io: CliIo,
): Promise<void> {
  const checked = checkedReport(state)
  if (flags.junit !== undefined) writeText(flags.junit, junitReport(checked), io)
  if (flags.receipt === undefined) return
  const git = await readGitSubject(state.workFolder, state.workspace.current)
  const versions = { packageVersion: donecheckVersion, nodeVersion: process.version }
  const receipt = buildReceipt({ events, ...versions, ...git })
  writeText(flags.receipt, `${JSON.stringify(receipt, null, 2)}\n`, io)
}
