/** Plots without a script: inline SVG, in the colours of the page. */
import type { Named, Rate } from '../figures/figures.ts'
import { markup, type Markup } from './markup.ts'
import { percent, whole } from './words.ts'

const labelWidth = 190
const barWidth = 300
const rowHeight = 22

/** One bar a name, as long as its count. */
export function bars(title: string, all: readonly Named[], most = 12): Markup {
  const shown = all.slice(0, most)
  const top = Math.max(1, ...shown.map(({ count }) => count))
  const height = rowHeight * Math.max(1, shown.length)
  const rows = shown.map(({ name, count }, index) => {
    const y = index * rowHeight
    return markup`<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${shortened(name, 28)}<title>${name}</title></text>
<rect x="${labelWidth}" y="${y + 4}" width="${rounded((barWidth * count) / top)}" height="14" class="bar"/>
<text x="${rounded(labelWidth + (barWidth * count) / top + 6)}" y="${y + 15}" class="quiet">${whole(count)}</text>`
  })
  return figure(title, labelWidth + barWidth + 90, height, rows)
}

export interface RatePoint {
  readonly name: string
  readonly rate: Rate
}

const plotHeight = 160
const plotLeft = 48
const columnWidth = 46

/** One point a name, with the interval in which its share lies; names without a case have none. */
export function rates(title: string, points: readonly RatePoint[], most = 20): Markup {
  const shown = points.slice(-most)
  const lines = [0, 0.5, 1].map(
    (
      share,
    ) => markup`<line x1="${plotLeft}" x2="${plotLeft + shown.length * columnWidth}" y1="${yOf(share)}" y2="${yOf(share)}" class="grid"/>
<text x="${plotLeft - 6}" y="${yOf(share) + 4}" text-anchor="end" class="quiet">${percent(share)}</text>`,
  )
  const dots = shown.map(({ name, rate }, index) => {
    const x = plotLeft + (index + 0.5) * columnWidth
    const { interval, share, part, whole: cases } = rate
    const label = markup`<text x="${x}" y="${plotHeight + 34}" text-anchor="middle" class="quiet">${name.slice(-3)}</text>`
    if (share === null) return label
    return markup`<g><title>${`${name}: ${part} of ${cases}, ${percent(share)}`}</title>
<line x1="${x}" x2="${x}" y1="${yOf(interval.low)}" y2="${yOf(interval.high)}" class="interval"/>
<circle cx="${x}" cy="${yOf(share)}" r="4" class="bar"/></g>${label}`
  })
  return figure(title, plotLeft + 20 + shown.length * columnWidth, plotHeight + 42, [...lines, ...dots])
}

/** One column a value, side by side. */
export function columns(title: string, values: readonly number[], names: readonly string[]): Markup {
  const top = Math.max(1, ...values)
  const drawn = values.map((value, index) => {
    const height = rounded((90 * value) / top)
    return markup`<g><title>${`${names[index] ?? ''}: ${whole(value)}`}</title>
<rect x="${index * 22}" y="${90 - height}" width="16" height="${height}" class="bar"/></g>
<text x="${index * 22 + 8}" y="106" text-anchor="middle" class="quiet">${names[index] ?? ''}</text>`
  })
  return figure(title, values.length * 22 + 10, 112, drawn)
}

function figure(title: string, width: number, height: number, drawn: readonly Markup[]): Markup {
  return markup`<figure><figcaption>${title}</figcaption>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
${drawn}
</svg></figure>`
}

function yOf(share: number): number {
  return rounded(10 + plotHeight * (1 - share))
}

function rounded(value: number): number {
  return Math.round(10 * value) / 10
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
