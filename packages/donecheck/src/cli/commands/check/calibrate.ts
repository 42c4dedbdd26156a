import starter from './judge-cases.json' with { type: 'json' }
import { exitCodeOf } from '@donecheck/core/internal/decide/stops'
import { given, UsageError } from '@donecheck/engine/internal/base'
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
  percent,
  type Trust,
} from '@donecheck/engine/internal/checks/calibration'
import { rubricOf } from '@donecheck/engine/judge'
import type { Judge } from '@donecheck/engine/internal/ports/judges'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { withRun, withStore, resolveSettings } from '../../settings/settings.ts'
import { withRubricRead } from '../../wiring/judging/judge.ts'
import { judgeOf } from '../../wiring/judging/judges.ts'
import { print, tableText } from '../../output/wrap.ts'
import type { CliIo } from '../../process/io.ts'
import { readText } from '../../process/failure.ts'
import { oneLine } from '@donecheck/engine/display'
import type { Settings } from '../../settings/store-folder.ts'
import { interruptible } from '../../process/signals.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'

type CalibrateFlags = StoreFlags & Flags<'rubric', never, 'judge' | 'labels'>

type JudgeMaker = (settings: Settings, io: CliIo) => Judge

const configuredJudge: JudgeMaker = ({ config, workFolder }, io) => {
  if (config.judge !== undefined) return judgeOf(config, config.judge, workFolder, io)
  throw new UsageError('no judge is named: --judge provider/model, or judge in the configuration')
}

/** Exits with 0 if the judge may decide from now on, with the code of `unverified` otherwise. */
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
    const cases =
      labels === undefined
        ? [...starterCases(), ...keptLabels(folder)]
        : labels.flatMap((file) => parseCases(readText(file, io), file))
    const calibration = await measure(judge, cases, rubricOf(rubric), io)
    const place = keepCalibration(folder, calibration)
    const trust = trustOf(calibration)
    print(io, json, { ...calibration, trust }, () => calibrationText(calibration, trust, place))
    return trust.kind === 'calibrated' ? exitCodeOf.verified : exitCodeOf.unverified
  })
}

async function measure(
  judge: Judge,
  cases: readonly LabelledCase[],
  rubric: string,
  io: CliIo,
): Promise<Calibration> {
  const onCase = (done: number) => {
    if (done % 20 === 0) io.stderr.write(`${done} of ${cases.length} cases\n`)
  }
  return interruptible(io, (signal) =>
    measureJudge(judge, cases, { rubric, clock: systemClock, signal, onCase }),
  )
}

/** Imported, because a bundle cannot read files next to its source. */
function starterCases(): readonly LabelledCase[] {
  return parseCases(starter.map((one) => JSON.stringify(one)).join('\n'), 'judge-cases.json')
}

type LabelFlags = StoreFlags & Flags<'why'>

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
  return withRun(wanted, flags, io, async ({ runId }, store) => {
    if (store.folder === null) throw new UsageError('the store keeps nothing on disk, so no label either')
    const labelled = {
      ...caseOfRun(await store.read(runId)),
      label,
      ...given({ category }),
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

const maxShown = 20

function calibrationText(calibration: Calibration, trust: Trust, place: string): string {
  const { judge, labels, agreed, undecided, broken, agreement, kappa } = calibration
  const { costUsdPerVerdict: cost, secondsPerVerdict } = calibration
  return [
    `${judge}, measured on ${labels} labels`,
    `  agreement  ${percent(agreement.share)} (${agreed} of ${labels}), 95 % confidence: ${percent(agreement.low)} to ${percent(agreement.high)}`,
    `  kappa      ${kappa === null ? 'none: nothing could differ' : kappa.toFixed(2)}`,
    `  undecided  ${undecided}${broken === 0 ? '' : `; ${broken} more could not be asked`}`,
    `  a verdict  ${secondsPerVerdict.toFixed(1)} s, ${cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`}`,
    '',
    tableText(
      [
        ['category', 'cases', 'agreed', 'named'],
        ...calibration.categories.map(({ category, cases, agreed: same, named }) => [
          ...[category, String(cases), String(same), category === 'pass' ? '' : String(named)],
        ]),
      ],
      '  ',
    ),
    ...disagreementLines(calibration),
    '',
    trust.kind === 'calibrated'
      ? 'It may decide: its verdicts may be required.'
      : `It may advise, not decide: it ${trust.reason}.`,
    `kept in ${place}`,
  ].join('\n')
}

function disagreementLines({ disagreements }: Calibration): readonly string[] {
  if (disagreements.length === 0) return []
  const shown = disagreements.slice(0, maxShown).map((one) => {
    const label = one.category === undefined ? one.label : `${one.label} [${one.category}]`
    return `  ${one.id}: ${label}, and it said ${one.said}: ${oneLine(one.reason, 100)}`
  })
  const more = disagreements.length - shown.length
  return ['', 'Where they disagree:', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])]
}
