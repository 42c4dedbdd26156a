import { leftOutOf } from '../../wiring/judging/texts.ts'
import { existsSync, statSync } from 'node:fs'
import { verifyWork } from '@donecheck/engine/compose'
import type { Config } from '../../../config/index.ts'
import { UsageError } from '@donecheck/engine/base'
import { evolve, type RunState } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import type { Store } from '@donecheck/engine/ports/store'
import { resultLine } from '@donecheck/engine/report'
import type { OneVerification } from '@donecheck/engine/run'
import { findRepository, runGit } from '@donecheck/engine/process'
import { gitOrWalkWorkspace } from '@donecheck/engine/workspace'
import { writeCheckReports, type ReportFlags } from './ci/check-reports.ts'
import { withSomeCheck } from '../../wiring/checks/some-check.ts'
import { readBaseline, type Baseline } from '../../wiring/checks/baseline.ts'
import { keepOwnModules } from '../../process/own-modules.ts'
import { reportFailure } from '../../process/failure.ts'
import type { CliIo } from '../../process/io.ts'
import { openStore, storeFolderOf, assertStoreOutside } from '../../settings/store-folder.ts'
import { resolveSettings, type Settings } from '../../settings/settings.ts'
import type { RunFlags } from '../../options/flags.ts'
import { writeNotice } from '../../output/wrap.ts'
import {
  jsonOutput,
  observed,
  quietOutput,
  type Output,
  verificationOutput,
} from '../../output/text-output.ts'
import { stopAtInterrupts } from '../../process/signals.ts'
import { verificationOptions } from '../../wiring/checks/verification-options.ts'
import { judgeChecks, withRubricRead } from '../../wiring/judging/judge.ts'
import { watchTree } from '../../tree/watch-tree.ts'
import { openTelemetry } from '../../wiring/telemetry.ts'

interface VerifyFlags extends RunFlags, ReportFlags {
  readonly json?: boolean
  readonly watch?: boolean
  readonly verdictCache?: 'off'
  readonly asBaseline?: boolean
  readonly at?: string
}

export async function verifyCommand(flags: VerifyFlags, io: CliIo): Promise<number> {
  try {
    const settings = await resolveSettings(flags, io)
    assertFolder(settings.workFolder)
    if (flags.asBaseline !== true && flags.at !== undefined)
      throw new UsageError('--at names what is recorded: give --as-baseline too')
    const config = await withSomeCheck(withRubricRead(settings.config, io), settings.workFolder, io)
    if (flags.asBaseline === true)
      return await (await import('./as-baseline.ts')).recordBaseline({ ...settings, config }, flags, io)
    for (const line of leftOutOf(config)) writeNotice(line, io)
    return await verify({ ...settings, config }, flags, io)
  } catch (error) {
    return reportFailure(error, flags.json === true, io)
  }
}

export function assertFolder(workFolder: string): void {
  if (!existsSync(workFolder) || !statSync(workFolder).isDirectory())
    throw new UsageError(
      `the work folder ${workFolder} does not exist; create it, or name another with --workdir`,
    )
}

export async function verify(
  { config, workFolder }: Settings,
  flags: VerifyFlags,
  io: CliIo,
): Promise<number> {
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  const store = await openStore(config.store, workFolder, io)
  const interrupts = stopAtInterrupts(io)
  try {
    const { signal } = interrupts
    keepOwnModules()
    const once = () => verifyOnce({ config, workFolder, store, flags, io, signal })
    if (flags.watch !== true) return await once()
    const workspace = gitOrWalkWorkspace(workFolder)
    return await watchTree({ workspace, signal, notice: (text) => io.stderr.write(`${text}\n`) }, once)
  } finally {
    interrupts.dispose()
    await store.close()
  }
}

interface Once {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly flags: VerifyFlags
  readonly io: CliIo
  readonly signal: AbortSignal
}

async function verifyOnce(request: Once): Promise<number> {
  const { config, store, flags, io } = request
  const output = observed(outputFor(config, flags, io), io)
  const telemetry = await openTelemetry(io, (message) => output.notice(message))
  const baseline = await readBaseline(config.baseline, store)
  if (baseline.kind === 'revision')
    await assertRevision(baseline.revision, request.workFolder, request.signal)
  const isCompared =
    baseline.kind !== 'none' || config.checkIn === 'clean-room' || config.heldOutFiles !== undefined
  let state: RunState | undefined
  const events: RunEvent[] = []
  const options = await verificationOptions({ ...request, baseline, isCompared })
  const judges = await judgeChecks({ ...request, reads: 'workspace' })
  const hardVerifiers = [...options.hardVerifiers, ...judges]
  await verifyWork({
    ...options,
    recallVerdicts: flags.verdictCache === undefined,
    task: `verify: ${hardVerifiers.map(({ description }) => description.name).join(', ')}`,
    hardVerifiers,
    baseline: lookOf(baseline, isCompared),
    onEvent: (event) => {
      events.push(event)
      state = evolve(state, event)
      output.event(event, state)
      telemetry?.observe(event)
    },
  })
  output.close()
  if (state === undefined) throw new TypeError('a verification ended without an event')
  await writeCheckReports(state, events, flags, io)
  const line = resultLine(state)
  output.end(line)
  await telemetry?.flush()
  return line.exitCode
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
