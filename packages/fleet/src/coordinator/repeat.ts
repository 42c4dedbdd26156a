/** What a coordinator looks for, and a worker says, from time to time. */
import { messageOf } from '@donecheck/engine/base'

export interface Repeated {
  readonly look: () => Promise<void>
  /** From the end of one to the beginning of the next. */
  readonly everyMs: number
  /** What could not be done, in a few words, for the log. */
  readonly failed: string
  readonly log: (message: string) => void
}

/** At once, and then again and again, whatever a look says. @returns what ends it */
export function repeat({ look, everyMs, failed, log }: Repeated): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const again = async (): Promise<void> => {
    await look().catch((error: unknown) => log(`${failed}: ${messageOf(error)}`))
    if (!isOver) timer = setTimeout(() => void again(), everyMs)
  }
  void again()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
