import { durationIn } from '@donecheck/engine/models'

/** @returns milliseconds of `15m`, `1h30m`, `90s`, `90` (seconds) or `off` (0); undefined for any other text */
export function waitingMs(text: string): number | undefined {
  if (text === 'off') return 0
  return /^\d+$/.test(text) ? Number(text) * 1000 : durationIn(text)
}
