/** Days and weeks, in UTC: the same for whoever asks, wherever they are. */

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
