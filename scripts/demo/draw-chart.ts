/** Draws how often donecheck and two common loops judged the scripted agents of the conformance kit rightly. */
import { escapeXml, palettes, round, type Theme } from './theme.ts'

export interface Figures {
  /** First column of the table, such as `donecheck run`. */
  readonly subject: string
  readonly right: number
  readonly cases: number
  readonly falseSuccesses: number
}

const subjects = ['donecheck run', 'bounded shell loop', 'plain Stop hook']

/** @throws {Error} if the table lacks one of the subjects */
export function readFigures(page: string): readonly Figures[] {
  return subjects.map((subject) => {
    const row = new RegExp(`^\\| ${subject} \\| .* \\| (\\d+) of (\\d+) \\| (\\d+) \\|`, 'mu').exec(page)
    if (row === null) throw new Error(`The table of docs/measured/conformance.md has no row "${subject}"`)
    const [right, cases, falseSuccesses] = row.slice(1).map(Number)
    return { subject, right: right ?? 0, cases: cases ?? 0, falseSuccesses: falseSuccesses ?? 0 }
  })
}

export function chartFile(theme: Theme): string {
  return `docs/assets/conformance-${theme}.svg`
}

const width = 690
const barStart = 156
const barWidth = 300
const rowHeight = 30
const top = 34

export function drawChart(figures: readonly Figures[], theme: Theme): string {
  const palette = palettes[theme]
  const height = top + figures.length * rowHeight + 4
  const cases = figures[0]?.cases ?? 0
  const rows = figures.map((figure, index) => drawBars(figure, top + index * rowHeight, theme))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeXml(figures.map(describeFigures).join('; '))}</title>
<style>text{font:13px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:${palette.plain}}.head{fill:${palette.dim}}.name{font-weight:600;text-anchor:end}</style>
<text class="head" x="${barStart}" y="16">Scripted agents judged correctly, of ${cases}</text>
${rows.join('\n')}
</svg>
`
}

/** Green: judged correctly. Red: reported as done what was not. The rest of the track: other wrong results. */
function drawBars(figures: Figures, y: number, theme: Theme): string {
  const palette = palettes[theme]
  const right = round((barWidth * figures.right) / figures.cases)
  const wrong = round((barWidth * figures.falseSuccesses) / figures.cases)
  const red =
    wrong === 0
      ? ''
      : `<rect x="${barStart + right}" y="${y}" width="${wrong}" height="18" fill="${palette.red}"/>`
  return [
    `<text class="name" x="${barStart - 12}" y="${y + 14}">${escapeXml(figures.subject)}</text>`,
    `<rect x="${barStart}" y="${y}" width="${barWidth}" height="18" fill="${palette.border}"/>`,
    `<rect x="${barStart}" y="${y}" width="${right}" height="18" fill="${palette.green}"/>${red}`,
    `<text x="${barStart + barWidth + 12}" y="${y + 14}">${describeResult(figures)}</text>`,
  ].join('\n')
}

function describeResult({ right, falseSuccesses }: Figures): string {
  return `${right} · ${falseSuccesses} false ${falseSuccesses === 1 ? 'success' : 'successes'}`
}

function describeFigures(figures: Figures): string {
  return `${figures.subject}: ${figures.right} of ${figures.cases}, ${figures.falseSuccesses} false successes`
}
