/** `donecheck verify`: the checks once, without any agent. */
import { leftOutOf } from '../wiring/left-out.ts'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type RunResult, verifyWork } from '@donecheck/engine/compose'
import type { Config } from '../../config/index.ts'
import { exitCodeOf } from '@donecheck/core/stops'
import { UsageError, donecheckVersion } from '@donecheck/engine/base'
import { evolve, type RunState } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import type { Store } from '@donecheck/engine/ports/store'
import { killAllProcesses } from '@donecheck/engine/process'
import { buildReceipt } from '@donecheck/engine/receipt'
import {
  githubReport,
  junitReport,
  resultLine,
  sarifReport,
  type CheckedReport,
} from '@donecheck/engine/report'
import type { OneVerification } from '@donecheck/engine/run'
import { gitOrWalkWorkspace } from '@donecheck/engine/workspace'
import { namesChecks } from '../wiring/checks/checks.ts'
import { readBaseline, type Baseline } from '../wiring/checks/baseline.ts'
import { reportFailure } from '../process/failure.ts'
import { readGitSubject } from '../tree/git-subject.ts'
import type { CliIo } from '../process/io.ts'
import { openStore } from '../settings/open-store.ts'
import type { RunFlags } from '../options/flags.ts'
import { jsonOutput } from '../output/json-output.ts'
import type { Output } from '../output/output.ts'
import { verificationOutput } from '../output/verification-output.ts'
import { settleChanges } from '../tree/settle-changes.ts'
import { resolveSettings, type Settings } from '../settings/settings.ts'
import { listenForInterrupts } from '../process/signals.ts'
import { storeFolderOf } from '../settings/store-folder.ts'
import { assertStoreOutside } from '../settings/store-outside.ts'
import { verificationOptions } from '../wiring/checks/verification-options.ts'
import { judgeChecks, withRubricRead } from '../wiring/judging/judge.ts'
import { watchTree } from '../tree/watch-tree.ts'

export interface VerifyFlags extends RunFlags {
  readonly json?: boolean
  readonly junit?: string
  readonly sarif?: string
  readonly github?: boolean
  readonly receipt?: string
  readonly watch?: boolean
}

export async function verifyCommand(flags: VerifyFlags, io: CliIo): Promise<number> {
  try {
    const settings = await resolveSettings(flags, io)
    assertFolder(settings.workFolder)
    const config = withRubricRead(withSomeCheck(settings.config, io), io)
    for (const line of leftOutOf(config, { hasTask: false })) io.stderr.write(`donecheck: ${line}\n`)
    return await verify({ ...settings, config }, flags, io)
  } catch (error) {
    return reportFailure(error, flags.json === true, io)
  }
}

/** Where nothing is named, the project's own tests are meant. */
export function withSomeCheck(config: Config, io: CliIo): Config {
  if (namesChecks(config)) return config
  io.stderr.write(
    "no check is named: the project's own tests are asked (--until, --preset and --check name others)\n",
  )
  return { ...config, presets: ['tests'] }
}

export function assertFolder(workFolder: string): void {
  if (!existsSync(workFolder) || !statSync(workFolder).isDirectory())
    throw new UsageError(
      `the work folder ${workFolder} does not exist; create it, or name another with --workdir`,
    )
}

/** With these settings as they are. */
export async function verify(
  { config, workFolder }: Settings,
  flags: VerifyFlags,
  io: CliIo,
): Promise<number> {
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  await settleChanges(workFolder, io)
  const store = openStore(config.store, workFolder, io)
  const interrupts = listenForInterrupts(
    () => io.stderr.write('stopping; once more ends it at once\n'),
    () => {
      killAllProcesses()
      process.exit(exitCodeOf.interrupted)
    },
  )
  try {
    const { signal } = interrupts
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
  const output: Output = flags.json === true ? jsonOutput(io, { stream: false }) : verificationOutput(io)
  const baseline = await readBaseline(config.baseline, store)
  const isCompared =
    baseline.kind !== 'none' || config.checkIn === 'clean-copy' || config.heldOutFiles !== undefined
  let state: RunState | undefined
  const events: RunEvent[] = []
  const options = await verificationOptions({ ...request, baseline, isCompared })
  const judges = await judgeChecks({ ...request, reads: 'workspace' })
  const result = await verifyWork({
    ...options,
    hardVerifiers: [...(options.hardVerifiers ?? []), ...judges],
    baseline: lookOf(baseline, isCompared),
    onEvent: (event) => {
      events.push(event)
      state = evolve(state, event)
      output.event(event, state)
    },
  })
  output.close()
  if (state === undefined) throw new TypeError('a verification ended without an event')
  await writeReports(result, state, events, flags, io)
  const line = resultLine(state)
  output.end(line)
  return line.exitCode
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

async function writeReports(
  { verdicts, transition }: RunResult,
  { settings, workFolder, workspace }: RunState,
  events: readonly RunEvent[],
  flags: VerifyFlags,
  io: CliIo,
): Promise<void> {
  const { verifiers } = settings
  const checked: CheckedReport = {
    verdicts,
    verifiers,
    outcome: transition.outcome,
    version: donecheckVersion,
  }
  write(flags.junit, () => junitReport(checked), io)
  write(flags.sarif, () => `${JSON.stringify(sarifReport(checked), null, 2)}\n`, io)
  if (flags.receipt !== undefined) {
    const git = await readGitSubject(workFolder, workspace.current)
    const versions = { packageVersion: donecheckVersion, nodeVersion: process.version }
    const receipt = buildReceipt({ events, ...versions, ...git })
    write(flags.receipt, () => `${JSON.stringify(receipt, null, 2)}\n`, io)
  }
  if (flags.github !== true) return
  const { commands, summary } = githubReport(checked)
  for (const line of commands) io.stdout.write(`${line}\n`)
  const file = io.environment['GITHUB_STEP_SUMMARY']
  if (file !== undefined && file !== '') writeFileSync(file, summary, { flag: 'a' })
}

/** @throws {UsageError} for a file that cannot be written */
function write(file: string | undefined, content: () => string, io: CliIo): void {
  if (file === undefined) return
  const text = content()
  try {
    writeFileSync(resolve(io.currentFolder, file), text)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} cannot be written: ${problem}`, { cause: error })
  }
}
