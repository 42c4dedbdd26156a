/** From when on runs are meant. */
import { UsageError } from '../../base/index.ts'

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/**
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
