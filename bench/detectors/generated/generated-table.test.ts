import { describe, expect, it } from 'vitest'
import { generatedClasses } from './classes.ts'
import { generatedTable } from './generated-table.ts'
import { fiveInARow, silent } from './score/scripted-detector.ts'
import { sumOf } from './score/sum.ts'

const named = (...names: readonly string[]) => generatedClasses.filter(({ name }) => names.includes(name))

const classes = named(
  'identical cycle, period 1',
  'identical cycle, period 2',
  'time in the results, period 1',
  'poll that never changes, without waits',
  'sleep on purpose',
  'paging through a long file',
)

describe('given two detectors and a few classes', () => {
  const { markdown, scores } = generatedTable([fiveInARow, silent], { half: 'tune', variants: 6, classes })
  const of = (detector: string) =>
    new Map(scores.find((score) => score.detector === detector)?.perClass.map((one) => [one.name, one]))

  it('knows that the fifth equal call comes one too late, but comes', () => {
    expect(of('five in a row').get('identical cycle, period 1')).toMatchObject({
      runs: 6,
      withinThree: 0,
      ever: 6,
      delay: 5,
    })
  })

  it('knows what such a detector cannot see', () => {
    expect(of('five in a row').get('identical cycle, period 2')).toMatchObject({ ever: 0, early: 0 })
    expect(of('five in a row').get('time in the results, period 1')).toMatchObject({ ever: 0 })
  })

  it('counts the honest runs that it kills', () => {
    expect(of('five in a row').get('sleep on purpose')).toMatchObject({ runs: 6, stopped: 6 })
    expect(of('five in a row').get('paging through a long file')).toMatchObject({ stopped: 0 })
  })

  it('adds up: loops with rounds, all loops, honest work', () => {
    const { rounds, everything, benign } = sumOf(scores[0]?.perClass ?? [])
    expect(rounds).toMatchObject({ runs: 18, withinThree: 0, ever: 6 })
    expect(everything).toMatchObject({ runs: 24, ever: 12 })
    expect(benign).toMatchObject({ runs: 12, stopped: 6, warnings: 0, warningsPerThousand: 0 })
  })

  it('finds nothing in what a silent detector says', () => {
    const { everything, benign } = sumOf(scores[1]?.perClass ?? [])
    expect(everything).toMatchObject({ runs: 24, ever: 0, early: 0, vetoedEver: 0 })
    expect(benign).toMatchObject({ stopped: 0, vetoed: 0, warned: 0 })
  })

  it('prints the aims beside what was reached', () => {
    expect(markdown).toContain('| *aim* | ≥ 95 % |')
    expect(markdown).toContain(
      '| five in a row | 0 % | 0 % | 0 % | 0 % | 50.0 % | 50.0 % | 0 | 6 of 12 | 6 | 0 | 0.00 |',
    )
    expect(markdown).toContain('onset + 4 · period − 1')
  })
})

describe('given the two halves', () => {
  it('shows other runs in each', () => {
    const names = (half: 'tune' | 'report') => {
      const seen: string[] = []
      const spy = {
        ...silent,
        begin: () => ({
          observe: (step: { readonly kind: string; readonly text?: string }) => {
            seen.push(`${step.kind} ${step.text ?? ''}`)
            return undefined
          },
        }),
      }
      generatedTable([spy], { half, variants: 2, classes: named('paging through a long file') })
      return seen.join('\n')
    }
    expect(names('tune')).toBe(names('tune'))
    expect(names('tune')).not.toBe(names('report'))
  })
})
