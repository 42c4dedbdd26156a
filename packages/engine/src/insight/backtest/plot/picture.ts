/** A picture of policies over the same runs: harm to the right, use upwards. */
import { placed } from './labels.ts'
import { killMarks, plot, savedMarksUpTo, topMark, xOf, yOf } from './scales.ts'

export interface Dot {
  readonly name: string
  /** Share of the resolved runs that would have been ended, of 1. */
  readonly killedShare: number
  /** Share of the calls of unresolved runs that would have been saved, of 1. */
  readonly savedShare: number
}

const width = 900
const leastHeight = 490
const labelX = 560
const lineHeight = 18
const labelGap = 5
const colours: readonly string[] = [
  '#1b6ca8',
  '#c0392b',
  '#2e7d32',
  '#8e44ad',
  '#b9770e',
  '#00838f',
  '#5d4037',
  '#37474f',
]

/** Where a dot should be, in per cent. */
export interface Aim {
  readonly killed: number
  readonly saved: number
}

/** @returns an SVG file */
export function pictureOf(title: string, subtitle: string, dots: readonly Dot[], aim?: Aim): string {
  const top = topMark(Math.max(0, ...dots.map(({ savedShare }) => 100 * savedShare)))
  const { drawn, bottom } = namedDots(clustersOf(dots, top))
  const height = Math.max(leastHeight, Math.ceil(bottom) + 12)
  const box = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="Helvetica, Arial, sans-serif" font-size="13" role="img" aria-label="${escaped(title)}">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    text(plot.left, 24, title, 'font-size="16" font-weight="bold"'),
    text(plot.left, 43, subtitle, 'fill="#555555"'),
    ...(aim === undefined ? [] : aimArea(aim, top)),
    ...axes(top),
    ...drawn,
    '</svg>',
    '',
  ].join('\n')
}

interface Cluster {
  readonly x: number
  readonly y: number
  readonly names: readonly string[]
}

/** Policies on the same spot share one dot. From the top down, so that the lines to their names hardly cross. */
function clustersOf(dots: readonly Dot[], top: number): readonly Cluster[] {
  const clusters = new Map<string, Cluster>()
  for (const { name, killedShare, savedShare } of dots) {
    const [x, y] = [xOf(100 * killedShare), yOf(100 * savedShare, top)]
    const spot = `${Math.round(x / 4)} ${Math.round(y / 4)}`
    const known = clusters.get(spot)
    clusters.set(
      spot,
      known === undefined ? { x, y, names: [name] } : { ...known, names: [...known.names, name] },
    )
  }
  return [...clusters.values()].sort((one, other) => one.y - other.y || other.x - one.x)
}

function namedDots(clusters: readonly Cluster[]) {
  const labels = clusters.map(({ y, names }) => {
    const lines = wrapped(names)
    return { lines, wantedY: y, height: lines.length * lineHeight + labelGap }
  })
  const tops = placed(labels, { top: plot.top - 10, bottom: plot.bottom + 10 })
  const drawn = clusters.map(({ x, y }, index) => {
    const colour = colours[index % colours.length] ?? '#000000'
    const from = (tops[index] ?? 0) + lineHeight - 4
    const path = `M${round(x)} ${round(y)} L${plot.right + 12} ${round(from - 4)} L${labelX - 6} ${round(from - 4)}`
    return {
      line: `<path d="${path}" fill="none" stroke="${colour}" stroke-opacity="0.4"/>`,
      dot: `<circle cx="${round(x)}" cy="${round(y)}" r="5" fill="${colour}" stroke="#ffffff"/>`,
      names: (labels[index]?.lines ?? []).map((line, place) =>
        text(labelX, from + place * lineHeight, line, `fill="${colour}"`),
      ),
    }
  })
  return {
    drawn: [
      ...drawn.map(({ line }) => line),
      ...drawn.map(({ dot }) => dot),
      ...drawn.flatMap(({ names }) => names),
    ],
    bottom: (tops.at(-1) ?? 0) + (labels.at(-1)?.height ?? 0),
  }
}

/** As many names on a line as fit beside the plot. */
function wrapped(names: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length < 38) lines[lines.length - 1] = `${last}, ${name}`
    else lines.push(name)
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line))
}

/** Hardly any harm, enough use. */
function aimArea(aim: Aim, top: number): readonly string[] {
  const [right, bottom] = [xOf(aim.killed), yOf(aim.saved, top)]
  const box = `x="${plot.left}" y="${plot.top}" width="${round(right - plot.left)}" height="${round(bottom - plot.top)}"`
  return [`<rect ${box} fill="#e6f4e6"/>`, text(plot.left + 8, plot.top + 16, 'aim', 'fill="#2e7d32"')]
}

function axes(top: number): readonly string[] {
  const [grid, dark] = ['stroke="#e3e3e3"', 'stroke="#444444"']
  const middle = { x: (plot.left + plot.right) / 2, y: (plot.top + plot.bottom) / 2 }
  const upwards = text(0, 0, 'calls of unresolved runs saved (more is better)', 'text-anchor="middle"')
  return [
    ...savedMarksUpTo(top).flatMap((mark) => [
      line(plot.left, yOf(mark, top), plot.right, yOf(mark, top), grid),
      text(plot.left - 8, yOf(mark, top) + 4, `${mark} %`, 'text-anchor="end" fill="#444444"'),
    ]),
    ...killMarks.flatMap((mark) => [
      line(xOf(mark), plot.top, xOf(mark), plot.bottom, grid),
      text(xOf(mark), plot.bottom + 18, `${mark} %`, 'text-anchor="middle" fill="#444444"'),
    ]),
    line(plot.left, plot.bottom, plot.right, plot.bottom, dark),
    line(plot.left, plot.top, plot.left, plot.bottom, dark),
    text(middle.x, plot.bottom + 42, 'resolved runs ended (less is better)', 'text-anchor="middle"'),
    `<g transform="translate(18 ${middle.y}) rotate(-90)">${upwards}</g>`,
  ]
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(content)}</text>`
}

function line(x1: number, y1: number, x2: number, y2: number, attributes: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${attributes}/>`
}

function round(number: number): number {
  return Number(number.toFixed(2))
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
