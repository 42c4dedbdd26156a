/** A process that is killed and started again as often as it is wanted. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { keepsCompiled } from '../../../test/fleet/kit/compiled.ts'

export class Program {
  readonly #path: string
  readonly #logPath: string
  readonly #settings: () => unknown
  #child: ChildProcess | undefined
  /** Of the latest start or kill: an earlier start that still tries gives up. */
  #turn = 0

  /**
   * @param settings asked at every start
   * @param logPath to which all that it complains of is added
   */
  constructor(path: string, logPath: string, settings: () => unknown) {
    this.#path = path
    this.#logPath = logPath
    this.#settings = settings
  }

  /** Until it is ready, or killed: whoever finds the servers down tries again. */
  async start(): Promise<void> {
    const turn = (this.#turn += 1)
    while (this.#turn === turn) {
      const child = this.#spawn()
      this.#child = child
      const ended = once(child, 'exit').then(() => false)
      const isReady = await Promise.race([once(child, 'message').then(() => true), ended])
      if (isReady) return
      await pause(300)
    }
  }

  async kill(): Promise<void> {
    this.#turn += 1
    const child = this.#child
    if (child?.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** It stands still, and does not know it when it goes on. */
  async standStill(ms: number): Promise<void> {
    const child = this.#child
    child?.kill('SIGSTOP')
    await pause(ms)
    child?.kill('SIGCONT')
  }

  #spawn(): ChildProcess {
    const words = ['--conditions=donecheck-source', '--no-warnings', this.#path]
    const log = openSync(this.#logPath, 'a')
    const child = spawn(process.execPath, [...words, JSON.stringify(this.#settings())], {
      stdio: ['ignore', 'ignore', log, 'ipc'],
      env: keepsCompiled,
    })
    closeSync(log)
    return child
  }
}
