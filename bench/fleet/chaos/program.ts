/** A process that is killed and started again as often as it is wanted. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

export class Program {
  readonly #path: string
  readonly #settings: () => unknown
  #child: ChildProcess | undefined
  #isWanted = false

  /** @param settings asked at every start */
  constructor(path: string, settings: () => unknown) {
    this.#path = path
    this.#settings = settings
  }

  /** Until it is ready: whoever finds the servers down tries again. */
  async start(): Promise<void> {
    this.#isWanted = true
    while (this.#mayStart()) {
      const words = [
        '--conditions=donecheck-source',
        '--no-warnings',
        this.#path,
        JSON.stringify(this.#settings()),
      ]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      this.#child = child
      const ended = once(child, 'exit')
      const isReady = await Promise.race([
        once(child.stdout, 'data').then(() => true),
        ended.then(() => false),
      ])
      if (isReady) return
      await pause(300)
    }
  }

  /** Asked anew each time: it may be killed while it starts. */
  #mayStart(): boolean {
    return this.#isWanted
  }

  async kill(): Promise<void> {
    this.#isWanted = false
    const child = this.#child
    if (child?.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** It stands still, and does not know it when it goes on. */
  async standStill(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP')
    await pause(ms)
    this.#child?.kill('SIGCONT')
  }
}
