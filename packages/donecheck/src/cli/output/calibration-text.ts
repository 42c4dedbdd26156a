/** What was measured of a judge, for people. */
import { oneLine } from '@donecheck/engine/report'
import { percent, type Calibration, type Trust } from '@donecheck/engine/calibration'

/** Cases of disagreement that are shown; all of them are kept. */
const maxShown = 20

export function calibrationText(calibration: Calibration, trust: Trust, place: string): string {
  const { judge, labels, agreed, undecided, broken, agreement, kappa } = calibration
  const { costUsdPerVerdict: cost, secondsPerVerdict } = calibration
  return [
    `${judge}, measured on ${labels} labels`,
    `  agreement  ${percent(agreement.share)} (${agreed} of ${labels}), 95 % confidence: ${percent(agreement.low)} to ${percent(agreement.high)}`,
    `  kappa      ${kappa === null ? 'none: nothing could differ' : kappa.toFixed(2)}`,
    `  undecided  ${undecided}${broken === 0 ? '' : `; ${broken} more could not be asked`}`,
    `  a verdict  ${secondsPerVerdict.toFixed(1)} s, ${cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`}`,
    '',
    ...categoryLines(calibration),
    ...disagreementLines(calibration),
    '',
    trust.kind === 'calibrated'
      ? 'It may decide: its verdicts may be required.'
      : `It may advise, not decide: it ${trust.reason}.`,
    `kept in ${place}`,
    '',
  ].join('\n')
}

function categoryLines({ categories }: Calibration): readonly string[] {
  const width = Math.max(...categories.map(({ category }) => category.length), 8)
  return [
    `  ${'category'.padEnd(width)}  cases  agreed  named`,
    ...categories.map(({ category, cases, agreed, named }) => {
      const naming = category === 'pass' ? '' : String(named)
      return `  ${category.padEnd(width)}  ${String(cases).padStart(5)}  ${String(agreed).padStart(6)}  ${naming.padStart(5)}`
    }),
  ]
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
