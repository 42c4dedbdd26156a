/** Somebody who waits for news, and is not woken twice for what was told meanwhile. */
export interface Bell {
  readonly ring: () => void
  /** Resolves at the next ring, or at once where it has rung since; at the latest when the time is over or the signal is aborted. */
  readonly rung: (withinMs?: number) => Promise<void>
}

export function bell(signal: AbortSignal): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  const ring = () => {
    hasRung = true
    wake?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    async rung(withinMs) {
      if (!hasRung && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      hasRung = false
    },
  }
}
