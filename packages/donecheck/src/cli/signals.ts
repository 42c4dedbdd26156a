/** Ctrl-C and friends: the first asks the run to stop, the second ends everything at once. */

export interface Interrupts {
  readonly signal: AbortSignal
  dispose(): void
}

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
  process.on('SIGINT', listen)
  process.on('SIGTERM', listen)
  return {
    signal: controller.signal,
    dispose() {
      process.off('SIGINT', listen)
      process.off('SIGTERM', listen)
    },
  }
}
