/** What time it is, for words such as "4 min": it moves on slowly. */
import { signal } from '@preact/signals'

export const nowMs = signal(Date.now())

const tickMs = 5_000

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) nowMs.value = Date.now()
  }, tickMs)
}
