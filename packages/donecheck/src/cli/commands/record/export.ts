import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { given, messageOf, UsageError } from '@donecheck/engine/internal/base'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import { exportRun } from '@donecheck/engine/store'
import {
  labelOf,
  redactPattern,
  TrajectoryAccount,
  trajectoryForms,
  trajectoryLine,
  type Redaction,
  type TrajectoryChoice,
  type TrajectoryFormName,
} from '@donecheck/engine/internal/insight/trajectories'
import type { CliIo } from '../../process/io.ts'
import { toUsageError } from '../../process/failure.ts'
import { findSummary } from '../../settings/recipe.ts'
import { withStore, resolveSettings } from '../../settings/settings.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'
import { secretsOf } from '../../settings/secrets.ts'

const ownFormat = 'donecheck'
const trajectoryFormats = Object.keys(trajectoryForms)

type ExportFlags = StoreFlags &
  Flags<'output' | 'format', 'all', 'redact'> & { readonly only?: TrajectoryChoice }

export async function exportCommand(
  wanted: string | undefined,
  flags: ExportFlags,
  io: CliIo,
): Promise<number> {
  assertFits(wanted, flags)
  const form = formOf(flags.format)
  const redaction = form === undefined ? undefined : await redactionOf(flags, io)
  return withStore(flags, io, async (store) => {
    const runs = wanted === undefined ? (await store.list()).toReversed() : [await findSummary(store, wanted)]
    const [only] = runs
    const isOneRecord = flags.all !== true && form === undefined && only !== undefined
    if (isOneRecord) {
      await write(exportRun(store, only.runId), flags.output, io)
      return 0
    }
    const account = new TrajectoryAccount(flags.only ?? 'all')
    const lines = linesOfRuns({ store, runs, account, io }, form, redaction)
    const to =
      flags.output === undefined
        ? undefined
        : join(dirname(resolve(io.currentFolder, flags.output)), 'manifest.json')
    const file = await write(lines, flags.output, io, to)
    const manifest = account.manifest(flags.format ?? ownFormat, file === undefined ? [] : [file])
    if (to !== undefined) writeFileSync(to, `${JSON.stringify(manifest, undefined, 2)}\n`, newFile)
    const outcomes = Object.entries(manifest.outcomes).map(([outcome, count]) => `${count} ${outcome}`)
    const counts = outcomes.length === 0 ? '' : `: ${outcomes.join(', ')}`
    io.stderr.write(`exported runs: ${manifest.runs}, left out: ${manifest.leftOut}${counts}\n`)
    return 0
  })
}

const newFile = { flag: 'wx', mode: 0o600 }

/** @throws {UsageError} for flags that would have no effect */
function assertFits(wanted: string | undefined, flags: ExportFlags): void {
  const { all = false, format = ownFormat, only, redact = [] } = flags
  if (all === (wanted !== undefined))
    throw new UsageError(all ? '--all and a run are named: leave one out' : 'name a run, or give --all')
  if (format !== ownFormat) return
  if (redact.length > 0)
    throw new UsageError(`--redact changes no record: give --format ${trajectoryFormats.join('|')}`)
  if (only !== undefined && !all) throw new UsageError('--only chooses among runs: give --all')
}

function formOf(format: string | undefined): TrajectoryFormName | undefined {
  return format === 'sharegpt' || format === 'openai' || format === 'atif' ? format : undefined
}

async function redactionOf({ redact = [], store, workdir }: ExportFlags, io: CliIo): Promise<Redaction> {
  const patterns = redact.map(redactPattern)
  const { config } = await resolveSettings(given({ store, workdir }), io)
  return { secrets: secretsOf(io.environment, config.secrets ?? []), patterns }
}

interface Source {
  readonly store: Store
  readonly runs: readonly RunSummary[]
  readonly account: TrajectoryAccount
  readonly io: CliIo
}

async function* linesOfRuns(
  { store, runs, account, io }: Source,
  form: TrajectoryFormName | undefined,
  redaction: Redaction | undefined,
): AsyncGenerator<string> {
  for (const { runId, imported } of runs) {
    const { events, problem } = await store.readAsFar(runId)
    const run = { events, isImported: imported === true }
    if (problem !== undefined) {
      account.takes(undefined)
      io.stderr.write(`left out: ${problem.message}\n`)
    } else if (form !== undefined && redaction !== undefined) {
      const line = trajectoryLine(run, form, redaction, account)
      if (line !== undefined) yield line
    } else {
      const label = labelOf(events, run.isImported)
      if (!account.takes(label)) continue
      const lines: string[] = []
      for await (const line of exportRun(store, runId)) lines.push(line)
      account.written(label, lines)
      yield* lines
    }
  }
}

/** Never overwrites a file: it may be the only copy of another run. */
async function write(
  lines: AsyncIterable<string>,
  output: string | undefined,
  io: CliIo,
  beside?: string,
): Promise<{ readonly name: string; readonly sha256: string; readonly bytes: number } | undefined> {
  if (output === undefined) {
    for await (const line of lines) io.stdout.write(`${line}\n`)
    return undefined
  }
  const file = resolve(io.currentFolder, output)
  if (beside !== undefined && (existsSync(beside) || beside === file))
    throw new UsageError(`${beside} is where the manifest belongs: name a file in another folder`)
  const hash = createHash('sha256')
  let bytes = 0
  const measured = async function* () {
    for await (const line of lines) {
      const text = `${line}\n`
      hash.update(text)
      bytes += Buffer.byteLength(text)
      yield text
    }
  }
  await pipeline(Readable.from(measured()), createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch(
    toUsageError((error) => `${file} cannot be written: ${messageOf(error)}`),
  )
  return { name: basename(file), sha256: hash.digest('hex'), bytes }
}
