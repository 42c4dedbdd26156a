/** `donecheck verify`: the checks once, without any agent. */
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunResult } from '../../agent-run.ts'
import type { Config } from '../../config/index.ts'
import { exitCodeOf } from '../../core/index.ts'
import { UsageError } from '../../errors.ts'
import { evolve, type RunEvent, type RunState } from '../../events/index.ts'
import type { Store } from '../../ports.ts'
import { killAllProcesses } from '../../process/index.ts'
import { buildReceipt } from '../../receipt/index.ts'
import { githubReport, junitReport, resultLine, sarifReport, type CheckedReport } from '../../report/index.ts'
import type { OneVerification } from '../../run/index.ts'
import { verifyWork } from '../../verification.ts'
import { donecheckVersion } from '../../version.ts'
import { gitOrWalkWorkspace } from '../../workspace/index.ts'
import { baselineOf, type Baseline } from '../baseline.ts'
import { reportFailure } from '../failure.ts'
import { gitSubjectOf } from '../git-subject.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import type { RunFlags } from '../options.ts'
import { jsonOutput } from '../output/json-output.ts'
import type { Output } from '../output/output.ts'
import { verificationOutput } from '../output/verification-output.ts'
import { settleChanges } from '../settle-changes.ts'
import { settingsOf, type Settings } from '../settings.ts'
import { listenForInterrupts } from '../signals.ts'
import { storeFolderOf } from '../store-folder.ts'
import { assertStoreOutside } from '../store-outside.ts'
import { verificationOptions } from '../verification-options.ts'
import { watchTree } from '../watch-tree.ts'

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
    const settings = await settingsOf(flags, io)
    assertFolder(settings.workFolder)
    const config = withSomeCheck(settings.config, io)
    return await verify({ ...settings, config }, flags, io)
  } catch (error) {
    return reportFailure(error, flags.json === true, io)
  }
}

/** Where nothing is named, the project's own tests are meant. */
export function withSomeCheck(config: Config, io: CliIo): Config {
  const isNamed = [config.until, config.presets].some((list) => (list ?? []).length > 0)
  if (isNamed) return config
  io.stderr.write("no check is named: the project's own tests are asked (--until and --preset name others)\n")
  return { ...config, presets: ['tests'] }
}

export function assertFolder(workFolder: string): void {
  if (!existsSync(workFolder) || !statSync(workFolder).isDirectory())
    throw new UsageError(
      `the work folder ${workFolder} does not exist; create it, or name another with --workdir`,
    )
}

async function verify({ config, workFolder }: Settings, flags: VerifyFlags, io: CliIo): Promise<number> {
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
  const baseline = await baselineOf(config.baseline, store)
  const isCompared =
    baseline.kind !== 'none' || config.checkIn === 'clean-copy' || config.heldOutFiles !== undefined
  let state: RunState | undefined
  const events: RunEvent[] = []
  const result = await verifyWork({
    ...verificationOptions({ ...request, baseline, isCompared }),
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
    const git = await gitSubjectOf(workFolder, workspace.current)
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
