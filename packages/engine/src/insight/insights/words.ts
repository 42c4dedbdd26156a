/** Numbers for people. */
import { thousands } from '@donecheck/core/base'
import type { Rate } from './figures/figures.ts'

export function whole(value: number): string {
  return thousands(Math.round(value))
}

/** Three digits that tell something, such as `0.0312` or `12.5`. */
export function figure(value: number | null): string {
  if (value === null) return '–'
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return whole(value)
  return String(Number(value.toPrecision(3)))
}

export function dollars(value: number | null): string {
  if (value === null) return '–'
  return `$${value >= 0.1 || value === 0 ? value.toFixed(2) : Number(value.toPrecision(2))}`
}

export function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

/** Such as `8 of 10, 80 % (49 to 94 %)`. */
export function rateWords({ part, whole: cases, share, interval }: Rate): string {
  if (share === null) return '–'
  const [low, high] = [interval.low, interval.high].map((end) => (100 * end).toFixed(0))
  return `${whole(part)} of ${whole(cases)}, ${percent(share)} (${low ?? ''} to ${high ?? ''} %)`
}
