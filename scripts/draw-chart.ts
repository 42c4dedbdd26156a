/** `npm run draw-chart`: draws the chart of README.md, docs/assets/conformance-*.svg, from the table in docs/measured/conformance.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chartFile, drawChart, readFigures } from './demo/draw-chart.ts'
import { themes } from './demo/theme.ts'

const root = path.join(import.meta.dirname, '..')
const figures = readFigures(readFileSync(path.join(root, 'docs/measured/conformance.md'), 'utf8'))
for (const theme of themes) writeFileSync(path.join(root, chartFile(theme)), drawChart(figures, theme))
