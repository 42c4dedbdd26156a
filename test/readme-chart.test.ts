/** The chart and the numbers of README.md are those of the measured table. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { chartFile, drawChart, readFigures } from '../scripts/demo/draw-chart.ts'
import { themes } from '../scripts/demo/theme.ts'
import { repositoryRoot } from './architecture/read-tree.ts'

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8')
const figures = readFigures(read('docs/measured/conformance.md'))

describe('the chart of the README', () => {
  it.each(themes)('is drawn from the measured table, in %s colors', (theme) => {
    expect(read(chartFile(theme))).toBe(drawChart(figures, theme))
  })

  it('refuses a page without the table', () => {
    expect(() => readFigures('# Nothing')).toThrow('has no row "donecheck run"')
  })
})

it.each(figures)('README.md gives the measured numbers of $subject', ({ right, cases, falseSuccesses }) => {
  const readme = read('README.md')
  expect(readme).toContain(`${right} of ${cases}`)
  expect(readme).toContain(String(falseSuccesses))
})
