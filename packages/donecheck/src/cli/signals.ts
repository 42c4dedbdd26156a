/** Ctrl-C and friends: the first asks the run to stop, the second ends everything at once. */

export interface Interrupts {
  readonly signal: AbortSignal
  dispose(): void
}

/** The last one comes when the terminal goes away. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param onSecond ends the process; what was recorded until then is on disk already */
export function listenForInterrupts(onFirst: (name: string) => void, onSecond: () => void): Interrupts {
  const controller = new AbortController()
  const listen = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      onSecond()
      return
    }
    controller.abort(name)
    onFirst(name)
  }
  for (const name of signals) process.on(name, listen)
  return {
    signal: controller.signal,
    dispose() {
      for (const name of signals) process.off(name, listen)
    },
  }
}
