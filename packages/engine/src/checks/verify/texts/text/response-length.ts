import { UsageError, assertKnownKeys } from '../../../../base/index.ts'
import type { MeasureEvidence } from '@donecheck/core/verdicts'
import type { Verifier } from '../../../../ports/checks.ts'
import { showValue } from '../../reports/show-value.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { boundsOf, findBrokenBound, showBounds, type Bounds } from './bounds.ts'
import { countOf, textUnits, type TextUnit } from './count.ts'
import { failedReport, passedReport } from './report.ts'
import { sourceCheck, type SourceCheckOptions, sourceCheckKeys } from './source-check.ts'

/** At least one of the three. */
export type LengthBounds = Readonly<Partial<Record<TextUnit, Bounds>>>

/**
 * The text is as long as wanted, in code points, words or lines: every bound holds. Reads one source (the answer by
 * default). A value that is no text is `error`.
 * @throws {UsageError} for no bound, inverted bounds, or bounds that are no finite numbers
 */
export function responseLength(length: LengthBounds, options: SourceCheckOptions = {}): Verifier {
  assertKnownKeys(options, sourceCheckKeys, 'responseLength')
  const unknown = Object.keys(length).find((unit) => !textUnits.some((known) => known === unit))
  const wanted = textUnits.flatMap((unit) => {
    const bounds = length[unit]
    return bounds === undefined ? [] : [{ unit, bounds: boundsOf(unit, bounds) }]
  })
  if (unknown !== undefined || wanted.length === 0)
    throw new UsageError(
      `responseLength has ${showValue(length)}; give characters, words or lines with min or max`,
    )
  return sourceCheck({
    title: wanted.map(({ unit, bounds }) => `${showBounds(bounds)} ${unit}`).join(', '),
    definition: { kind: 'responseLength', wanted: wanted.map(({ unit, bounds }) => [unit, { ...bounds }]) },
    options,
    judge: (value, label) => {
      if (typeof value !== 'string')
        return undecidedReport(`${label} is ${showValue(value)}, which is no text`)
      const counted = wanted.map(({ unit, bounds }) => {
        const count = countOf(unit, value)
        return { unit, bounds, count, broken: findBrokenBound(count, bounds) }
      })
      const measures = counted.map(({ unit, count, broken }): MeasureEvidence => {
        return {
          kind: 'measure',
          name: unit,
          value: count,
          ...(broken === undefined ? {} : { bound: broken }),
        }
      })
      const shown = counted.map(({ count, unit }) => `${count} ${unit}`).join(', ')
      const wrong = counted.filter(({ broken }) => broken !== undefined)
      if (wrong.length === 0) return passedReport(`${label} has ${shown}`, ...measures)
      const missed = wrong.map(({ unit, bounds }) => `${showBounds(bounds)} ${unit}`).join(', ')
      return failedReport(`${label} has ${shown}; wanted: ${missed}`, ...measures)
    },
  })
}
