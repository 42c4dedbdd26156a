/** The runs of one middleware or node, by their names in the state of the graph. */
import type { OptionKeys } from '@donecheck/engine/base'
import {
  askingByItself,
  beginSdkSession,
  chosenSessionKeys,
  SdkSession,
  type SdkOptions,
  type Verification,
} from '../../session/index.ts'

export type RunOptions = Omit<SdkOptions, 'sessionId'>

export const runKeys: OptionKeys<RunOptions> = { ...chosenSessionKeys, acts: true }

/** So many are remembered; an older one is read again from the store. */
const maxRuns = 1000

export class OpenRuns {
  readonly #options: RunOptions
  readonly #runs = new Map<string, Promise<SdkSession>>()

  constructor(options: RunOptions) {
    this.#options = options
  }

  /** A new run, or the one that is going on under this name. @param task what it begins with */
  async begin(name: string, task: string): Promise<SdkSession> {
    const known = this.#runs.get(name)
    if (known !== undefined && (await known).ended !== undefined) this.#runs.delete(name)
    const session = await this.at(name)
    await session.recordPrompt(task)
    return session
  }

  /** The run of this name, as it is remembered or stands in the store. */
  at(name: string): Promise<SdkSession> {
    const run = this.#runs.get(name) ?? this.#open(name)
    // The latest used are kept.
    this.#runs.delete(name)
    this.#runs.set(name, run)
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > maxRuns && oldest !== undefined) this.#runs.delete(oldest)
    return run
  }

  /** Of this process, and not over. */
  async isAtWork(name: string): Promise<boolean> {
    return (await this.#runs.get(name))?.ended === undefined && this.#runs.has(name)
  }

  /** What the checks say of a run that is over, or waits. */
  async verification(name: string): Promise<Verification> {
    const session = await this.at(name)
    if (session.ended !== undefined || session.waitingFor.length > 0) return session.verification()
    await session.cutShort()
    return session.verification({ stoppedBy: 'the graph ended before the checks did' })
  }

  async #open(name: string): Promise<SdkSession> {
    const options = askingByItself(this.#options)
    return new SdkSession(await beginSdkSession('langchain', { ...options, sessionId: name }))
  }
}
