/** Draws a terminal recording as an animated SVG: CSS only, no script, no font of its own. */
import { columns, typedCommand, type Row, type Segment } from './run-demo.ts'
import { escapeXml, palettes, round, type Theme } from './theme.ts'

const fontSize = 14
/** Width of a character: 0.6 em in most monospaced fonts; `textLength` stretches the others to it. */
const advance = 8.4
const lineHeight = 20
const padding = 16

const typingMs = 1600
const holdMs = 9000

/** The same rows always give the same text. */
export function drawDemo(rows: readonly Row[], theme: Theme): string {
  const palette = palettes[theme]
  const prompt: Row = [
    { text: '$ ', color: 'green', isBold: true, isDim: false },
    { text: typedCommand, color: 'plain', isBold: true, isDim: false },
  ]
  const starts = startTimes(rows)
  const totalMs = (starts.at(-1) ?? 0) + holdMs
  const percent = (ms: number) => `${round((100 * ms) / totalMs)}%`
  const width = round(2 * padding + columns * advance)
  const height = 2 * padding + (rows.length + 1) * lineHeight
  const typedWidth = round(typedCommand.length * advance)
  const animation = `${totalMs}ms infinite`
  const css = [
    `text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:${palette.plain}}`,
    ...(['red', 'green', 'yellow', 'blue'] as const).map((color) => `.${color}{fill:${palette[color]}}`),
    `.dim{fill:${palette.dim}}.bold{font-weight:600}`,
    `.cover{fill:${palette.background};transform:translateX(${typedWidth}px);animation:type ${animation} steps(${typedCommand.length})}`,
    `@keyframes type{0%{transform:none}${percent(typingMs)},100%{transform:translateX(${typedWidth}px)}}`,
    ...starts.map(
      (ms, index) =>
        `.r${index}{animation:r${index} ${animation} step-end}@keyframes r${index}{0%{opacity:0}${percent(ms)}{opacity:1}}`,
    ),
    '@media(prefers-reduced-motion:reduce){*{animation:none!important}}',
  ]
  const coverX = round(padding + 2 * advance)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A recorded run of donecheck</title>
<style>
${css.join('\n')}
</style>
<clipPath id="window"><rect x="${coverX}" y="1" width="${round(typedWidth)}" height="${padding + lineHeight}"/></clipPath>
<rect x=".5" y=".5" width="${round(width - 1)}" height="${height - 1}" rx="8" fill="${palette.background}" stroke="${palette.border}"/>
${drawRow(prompt, 0, 'prompt')}
<g clip-path="url(#window)"><rect class="cover" x="${coverX}" y="${padding}" width="${typedWidth}" height="${lineHeight}"/></g>
${rows.map((row, index) => drawRow(row, index + 1, `r${index}`)).join('\n')}
</svg>
`
}

/** How long after the start of the recording each row appears, in milliseconds. */
function startTimes(rows: readonly Row[]): readonly number[] {
  let ms = typingMs + 500
  return rows.map((row, index) => {
    ms += pauseBefore(formatRow(row), formatRow(rows[index - 1] ?? []))
    return ms
  })
}

/** The agent takes longest, then the checks. The pauses are chosen for the reader; they are not measured. */
function pauseBefore(text: string, previous: string): number {
  if (/^\s*turn \d/u.test(previous)) return 1300
  if (/^\s*turn \d/u.test(text)) return 700
  if (/^\s*(?:[✓✗?!→]\s)/u.test(text)) return 900
  return 60
}

function formatRow(row: Row): string {
  return row.map(({ text }) => text).join('')
}

function drawRow(row: Row, index: number, name: string): string {
  const y = padding + index * lineHeight + 15
  let column = 0
  const segments = row.map((segment) => {
    const x = round(padding + column * advance)
    column += segment.text.length
    return drawSegment(segment, x)
  })
  return `<text class="${name}" y="${y}">${segments.join('')}</text>`
}

function drawSegment({ text, color, isBold, isDim }: Segment, x: number): string {
  const classes = [
    ...(color === 'plain' ? [] : [color]),
    ...(isDim ? ['dim'] : []),
    ...(isBold ? ['bold'] : []),
  ]
  const attribute = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
  return `<tspan x="${x}" textLength="${round(text.length * advance)}"${attribute}>${escapeXml(text)}</tspan>`
}

function unescapeXml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** @returns the text of the rows in a drawing of `drawDemo`, without the command line */
export function readDrawnText(svg: string): string {
  const rows = [...svg.matchAll(/<text class="r\d+"[^>]*>(.*?)<\/text>/gsu)]
  return rows.map(([, row = '']) => unescapeXml(row.replaceAll(/<[^>]*>/gu, ''))).join('\n')
}
