/** Days and weeks, in UTC: the same for whoever asks, wherever they are. */
import { UsageError } from '../../../base/index.ts'

const dayMs = 86_400_000

/** Days since the Unix epoch. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

export function hourOf(timeMs: number): number {
  return Math.floor((timeMs - dayOf(timeMs) * dayMs) / 3_600_000)
}

/** The ISO week, such as `2026-W46`: it belongs to the year that has its Thursday. */
export function weekOf(day: number): string {
  const thursday = day - weekdayOf(day) + 3
  const year = new Date(thursday * dayMs).getUTCFullYear()
  const week = 1 + Math.floor((thursday - dayOf(Date.UTC(year, 0, 1))) / 7)
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** Such as `2026-11-09`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: dayMs, w: 7 * dayMs }

/**
 * From when on runs are meant.
 * @returns milliseconds since the Unix epoch
 * @throws {UsageError} for what is neither a span such as `7d` nor a day
 */
export function sinceOf(text: string, nowMs: number): number {
  const [, amount = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  if (unitMs !== undefined) return nowMs - Number(amount) * unitMs
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(day)) return day
  throw new UsageError(`--since "${text}" is no span such as 24h, 7d or 4w, and no day such as 2026-11-01`)
}
