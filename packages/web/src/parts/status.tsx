import type { ComponentChildren, JSX } from 'preact'
import type { RunItem } from '../data/index.ts'
import { toneOfOutcome, type Tone } from '../fold/index.ts'

const glyphs: Readonly<Record<string, string>> = {
  passed: '✓',
  failed: '✗',
  error: '!',
  skipped: '–',
  pending: '…',
  'not-asked': '○',
}

const toneOfStatus: Readonly<Record<string, Tone>> = {
  passed: 'good',
  failed: 'bad',
  error: 'warn',
  pending: 'live',
}

export function VerdictGlyph({ status }: { readonly status: string }): JSX.Element {
  return <span class={`glyph ${toneOfStatus[status] ?? 'quiet'}`}>{glyphs[status] ?? '?'}</span>
}

/** A run without an outcome works or waits. */
export function Outcome({ run }: { readonly run: Pick<RunItem, 'outcome' | 'waiting'> }): JSX.Element {
  const open = run.waiting ? 'waiting' : 'running'
  return <Badge tone={toneOfOutcome(run.outcome)}>{run.outcome ?? open}</Badge>
}

export function Badge(props: { readonly tone: Tone; readonly children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${props.tone}`}>{props.children}</span>
}

const sparkWidth = 64
const sparkHeight = 16

export function Spark({ readings }: { readonly readings: readonly number[] }): JSX.Element {
  const spark = sparkOf(readings, sparkWidth, sparkHeight)
  if (spark === undefined) return <span class="quiet">–</span>
  const now = readings.at(-1) ?? 0
  return (
    <span class="spark">
      <svg
        viewBox={`-2 -3 ${sparkWidth + 6} ${sparkHeight + 6}`}
        width={sparkWidth + 6}
        height={sparkHeight + 6}
        role="img"
        aria-label={`failing, one verification after the other: ${readings.slice(-8).join(', ')}`}
      >
        <path d={spark.path} />
        <circle cx={spark.x} cy={spark.y} r="2" class={now === 0 ? 'good' : 'bad'} />
      </svg>
      <span class="figure">{now}</span>
    </span>
  )
}

interface SparkLine {
  readonly path: string
  readonly x: number
  readonly y: number
}

const maxReadings = 40

/** Undefined without readings. The bottom edge is 0. */
function sparkOf(readings: readonly number[], width: number, height: number): SparkLine | undefined {
  const shown = readings.slice(-maxReadings)
  const top = Math.max(1, ...shown)
  const points = shown.map((value, index) => ({
    x: shown.length === 1 ? width : (index / (shown.length - 1)) * width,
    y: height - (value / top) * height,
  }))
  const last = points.at(-1)
  if (last === undefined) return undefined
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
  return { path, x: round(last.x), y: round(last.y) }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function Failure({ message }: { readonly message: string }): JSX.Element {
  return (
    <p class="failure" role="alert">
      {message}
    </p>
  )
}

export function Meter(props: {
  readonly label: string
  readonly share: number
  readonly words: string
  readonly isLimit: boolean
}): JSX.Element {
  const share = Math.min(1, Math.max(0, props.share))
  const tone = !props.isLimit || share < 0.8 ? '' : share < 1 ? 'warn' : 'bad'
  return (
    <div class="meter">
      <span class="quiet">{props.label}</span>
      <span class="figure">{props.words}</span>
      <span class="track" aria-hidden="true">
        <span class={tone} style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

export function Bars(props: {
  readonly label: string
  readonly rows: readonly { readonly name: string; readonly value: number; readonly words: string }[]
}): JSX.Element {
  const most = Math.max(1e-9, ...props.rows.map(({ value }) => value))
  return (
    <div class="bars" role="list" aria-label={props.label}>
      {props.rows.map(({ name, value, words }) => (
        <div role="listitem">
          <span class="name" title={name}>
            {name}
          </span>
          <span class="track" aria-hidden="true">
            <span style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span class="figure">{words}</span>
        </div>
      ))}
    </div>
  )
}
