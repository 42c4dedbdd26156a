/** `donecheck calibrate`: how far a judge agrees with people, kept in the store. `donecheck label`: what a person says of a run. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodeOf } from '@donecheck/core/stops'
import { UsageError } from '@donecheck/engine/base'
import {
  caseOfRun,
  keepCalibration,
  keepLabel,
  keptLabels,
  measureJudge,
  parseCases,
  trustOf,
  type Calibration,
  type LabelledCase,
} from '@donecheck/engine/calibration'
import { rubricOf } from '@donecheck/engine/judge'
import type { Judge } from '@donecheck/engine/ports/judges'
import { systemClock } from '@donecheck/engine/run'
import { withStore } from '../../settings/open-store.ts'
import { findSummary } from '../../settings/find-run.ts'
import { resolveSettings, type Settings } from '../../settings/settings.ts'
import { withRubricRead } from '../../wiring/judging/judge.ts'
import { judgeOf } from '../../wiring/judging/judges.ts'
import { calibrationText } from '../../output/calibration-text.ts'
import { stopAtInterrupts } from '../../process/stop-at-interrupts.ts'
import type { CliIo } from '../../process/io.ts'
import type { StoreFlags } from '../../options/flags.ts'

export interface CalibrateFlags extends StoreFlags {
  /** Default: the one of the configuration. */
  readonly judge?: readonly string[]
  readonly rubric?: string
  readonly labels?: readonly string[]
}

export type JudgeMaker = (settings: Settings, io: CliIo) => Judge

const configuredJudge: JudgeMaker = ({ config, workFolder }, io) => {
  if (config.judge !== undefined) return judgeOf(config, config.judge, workFolder, io)
  throw new UsageError('no judge is named: --judge provider/model, or judge in the configuration')
}

/** Exit code 0 where the judge may decide from now on, that of `unverified` where it may only advise. */
export async function calibrateCommand(
  flags: CalibrateFlags,
  io: CliIo,
  makeJudge: JudgeMaker = configuredJudge,
): Promise<number> {
  const { labels, json = false } = flags
  const settings = await resolveSettings(flags, io)
  const { rubric = 'goal' } = withRubricRead(settings.config, io)
  const judge = makeJudge(settings, io)
  return withStore(flags, io, async ({ folder }) => {
    if (folder === null)
      throw new UsageError('the store keeps nothing on disk, so nothing can be kept of a judge')
    const cases = labels === undefined ? [...starterCases(), ...keptLabels(folder)] : labelsIn(labels, io)
    const calibration = await measure(judge, cases, rubricOf(rubric), io)
    const place = keepCalibration(folder, calibration)
    const trust = trustOf(calibration)
    io.stdout.write(
      json ? `${JSON.stringify({ ...calibration, trust })}\n` : calibrationText(calibration, trust, place),
    )
    return trust.kind === 'calibrated' ? exitCodeOf.verified : exitCodeOf.unverified
  })
}

async function measure(
  judge: Judge,
  cases: readonly LabelledCase[],
  rubric: string,
  io: CliIo,
): Promise<Calibration> {
  const interrupts = stopAtInterrupts(io)
  try {
    const { signal } = interrupts
    const onCase = (done: number) => {
      if (done % 20 === 0) io.stderr.write(`${done} of ${cases.length} cases\n`)
    }
    return await measureJudge(judge, cases, { rubric, clock: systemClock, signal, onCase })
  } finally {
    interrupts.dispose()
  }
}

/** They come with the command. */
const starterFile = fileURLToPath(new URL('../../../../judge-cases.jsonl', import.meta.url))

function starterCases(): readonly LabelledCase[] {
  return parseCases(readFileSync(starterFile, 'utf8'), starterFile)
}

function labelsIn(files: readonly string[], { currentFolder }: CliIo): readonly LabelledCase[] {
  return files.flatMap((file) => parseCases(readText(resolve(currentFolder, file)), file))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${String(error)}`, { cause: error })
  }
}

export interface LabelFlags extends StoreFlags {
  readonly why?: string
}

export async function labelCommand(
  wanted: string,
  label: string,
  category: string | undefined,
  { why = '', ...flags }: LabelFlags,
  io: CliIo,
): Promise<number> {
  if (label !== 'pass' && label !== 'fail') throw new UsageError(`a label is pass or fail, not "${label}"`)
  if (label === 'pass' && category !== undefined)
    throw new UsageError(`a pass has no category, and "${category}" says what is wrong`)
  return withStore(flags, io, async (store) => {
    if (store.folder === null) throw new UsageError('the store keeps nothing on disk, so no label either')
    const { runId } = await findSummary(store, wanted)
    const labelled = {
      ...caseOfRun(await store.read(runId)),
      label,
      ...(category === undefined ? {} : { category }),
      why,
    } as const
    const place = keepLabel(store.folder, labelled)
    const count = keptLabels(store.folder).length
    io.stdout.write(
      `${runId} is labelled ${label}${category === undefined ? '' : ` (${category})`}; ${count} in ${place}\n`,
    )
    return 0
  })
}
