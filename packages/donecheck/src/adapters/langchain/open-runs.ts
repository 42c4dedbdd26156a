/** The runs that one middleware or node has told of, by their names in the state of the graph. */
import type { ToolActs } from '../../agents/index.ts'
import type { OptionKeys } from '../../option-keys.ts'
import {
  chosenRideKeys,
  createRide,
  verificationOf,
  type RideOptions,
  type Verification,
} from '../../ride/index.ts'
import { ToldRun } from './ride.ts'

export interface RunOptions extends Omit<
  RideOptions,
  'agent' | 'sessionId' | 'reportsUsage' | 'reportsCost' | 'silentFailures'
> {
  /** What calls of your tools would do, so that the gate can judge them: `{ shell: ({ command }) => ({ kind: 'command', … }) }`. */
  readonly acts?: ToolActs
}

export const runKeys: OptionKeys<RunOptions> = { ...chosenRideKeys, acts: true }

/** So many are remembered; an older one is read again from the store. */
const mostRuns = 1000

export class OpenRuns {
  readonly #options: RunOptions
  readonly #reportsUsage: boolean
  readonly #runs = new Map<string, Promise<ToldRun>>()

  constructor(options: RunOptions, how: { readonly reportsUsage: boolean }) {
    this.#options = options
    this.#reportsUsage = how.reportsUsage
  }

  /** A new run, or the one that is going on under this name. @param task what it begins with */
  async begin(name: string, task: string): Promise<ToldRun> {
    const known = this.#runs.get(name)
    if (known !== undefined && (await known).ended !== undefined) this.#runs.delete(name)
    const told = await this.at(name)
    await told.prompted(task)
    return told
  }

  /** The run of this name, as it is remembered or stands in the store. */
  at(name: string): Promise<ToldRun> {
    const run = this.#runs.get(name) ?? this.#open(name)
    // The latest used are kept.
    this.#runs.delete(name)
    this.#runs.set(name, run)
    const [oldest] = this.#runs.keys()
    if (this.#runs.size > mostRuns && oldest !== undefined) this.#runs.delete(oldest)
    return run
  }

  /** Of this process, and not over. */
  async isAtWork(name: string): Promise<boolean> {
    return (await this.#runs.get(name))?.ended === undefined && this.#runs.has(name)
  }

  /** What the checks say of a run that is over, or waits. */
  async verification(name: string): Promise<Verification> {
    const told = await this.at(name)
    const { sendBacks, notices, waitingFor } = told
    if (told.ended !== undefined || waitingFor.length > 0)
      return verificationOf(told.ride, { sendBacks, notices, waitingFor })
    const stoppedBy = 'the graph ended before the checks did'
    await told.cutShort()
    return verificationOf(told.ride, { sendBacks: told.sendBacks, notices, stoppedBy })
  }

  async #open(name: string): Promise<ToldRun> {
    const { acts = {}, ...options } = this.#options
    const { gate, approver } = options
    // A gate without an approver of ours asks by the graph's own way.
    const onGatePrompt =
      options.onGatePrompt ?? (gate !== undefined && approver === undefined ? 'ask' : undefined)
    const ride = await createRide({
      ...options,
      agent: 'langchain',
      sessionId: name,
      reportsUsage: this.#reportsUsage,
      ...(onGatePrompt === undefined ? {} : { onGatePrompt }),
    })
    return new ToldRun({ ride, acts })
  }
}
