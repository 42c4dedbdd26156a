/** The configuration of a session: that of the flags and files, and what the person changes while it lasts. */
import { amounts, capTable, typedName } from '@donecheck/core/budgets'
import type { TopUp } from '@donecheck/engine/compose'
import { findAgents } from '@donecheck/agents/registry'
import { UsageError } from '@donecheck/engine/base'
import { inheritedEnvironment } from '@donecheck/engine/process'
import type { Line } from '@donecheck/engine/report'
import type { Config } from '../../../config/index.ts'
import { namedAgent } from '../../agents/agents.ts'
import type { CliIo } from '../../process/io.ts'
import type { Settings } from '../../settings/settings.ts'
import { hasVerifiedReplies, withoutDoubles, withProjectTests } from '../checks/some-check.ts'
import { chooseDrive } from '../loop/drive-choice.ts'
import { nearestAgent } from '../loop/own-agent-line.ts'

type DriveKeys = Pick<Config, 'agent' | 'model'>

export class SessionSettings {
  readonly #settings: Settings
  readonly #io: CliIo
  #config: Config
  /** What the person has chosen in the session; undefined: nothing. */
  #chosen: DriveKeys | undefined

  constructor(settings: Settings, io: CliIo) {
    this.#settings = settings
    this.#io = io
    this.#config = settings.config
  }

  get config(): Config {
    return this.#config
  }

  /** As it is typed; empty: nothing is chosen. */
  get drive(): string {
    return this.#config.agent ?? this.#config.model ?? ''
  }

  /** @throws {UsageError} where what was given cannot drive here */
  async assertDrive(): Promise<void> {
    const { agent, model, baseUrl } = this.#config
    if ((agent ?? model ?? baseUrl) !== undefined)
      await chooseDrive(this.#config, this.#settings.workFolder, this.#io)
  }

  async drives(): Promise<readonly string[]> {
    const found = await findAgents({ environment: inheritedEnvironment(this.#io.environment) })
    const { agent, model } = this.#settings.config
    return [...new Set([agent ?? [], model ?? [], found.map(({ name }) => name)].flat())]
  }

  /** Such as `openai/gpt-5`, `claude`, `agent mytool {prompt}`. @throws {UsageError} for what cannot drive here */
  async chooseDrive(typed: string): Promise<void> {
    const [, kind, rest = typed] = /^(?:--)?(agent|model) +(.+)$/.exec(typed) ?? []
    const isAgent = kind === undefined ? namedAgent(rest) !== undefined : kind === 'agent'
    if (kind === undefined && !isAgent) this.#refuseMisspelt(rest)
    const chosen: DriveKeys = isAgent ? { agent: rest } : { model: rest }
    const config = this.#with(this.#config, chosen)
    await chooseDrive(config, this.#settings.workFolder, this.#io)
    this.#chosen = chosen
    this.#config = config
  }

  /** A server of the person's own calls its models as it likes. @throws {UsageError} for nearly the name of an agent */
  #refuseMisspelt(typed: string): void {
    const near =
      typed.includes('/') || this.#settings.config.baseUrl !== undefined ? undefined : nearestAgent(typed)
    if (near !== undefined)
      throw new UsageError(`there is no agent or model "${typed}"; did you mean "${near}"?`)
  }

  /** A run that goes on keeps what it was driven by, unless the person has chosen. */
  withChosenDrive(config: Config): Config {
    return this.#chosen === undefined ? config : this.#with(config, this.#chosen)
  }

  get checks(): readonly string[] {
    const { until = [], presets = [] } = this.#config
    return [...until.map(({ name, command }) => name ?? command), ...presets]
  }

  /** While no check is named, the project's own tests decide, as in `donecheck run`; they may be younger than the session. */
  async takeProjectTests(notice: (message: string) => void): Promise<void> {
    if (hasVerifiedReplies(this.#config)) return
    const tell = (message: string) => notice(`${message} (/until names others)`)
    this.#config = await withProjectTests(this.#config, this.#settings.workFolder, this.#io, tell)
  }

  /** In the place of tests that nobody named. @returns whether it was no check before */
  async addCheck(command: string): Promise<boolean> {
    const { until = [], presets = [] } = this.#config
    if (until.some((check) => check.command === command)) return false
    const { presets: named = [] } = this.#settings.config
    const more = { ...this.#config, until: [...until, { command }] }
    const config = await withoutDoubles({ ...more, presets }, this.#settings.workFolder)
    if (config.until?.length === until.length) return false
    this.#config = { ...config, presets: named }
    return true
  }

  setBudget({ callsPerTool, ...bounds }: TopUp): void {
    const named = amounts.flatMap((name) => {
      const amount = bounds[name]
      const { key, kind } = capTable[name]
      return amount === undefined ? [] : [[key, kind === 'time' ? amount / 1000 : amount] as const]
    })
    const ofTools = callsPerTool === undefined ? {} : { maxToolCallsOf: callsPerTool }
    this.#config = { ...this.#config, ...Object.fromEntries(named), ...ofTools }
  }

  budget(): readonly Line[] {
    const named = amounts.flatMap((name) => {
      const bound = this.#config[capTable[name].key]
      return bound === undefined ? [] : [`${typedName(name)}=${bound ?? 'none'}`]
    })
    const text =
      named.length === 0 ? 'the usual caps hold: 90 turns, 600 seconds' : `for new runs: ${named.join(', ')}`
    return [{ tone: 'plain', text }]
  }

  /** A server of the person's own stays the one that is asked for models. */
  #with(config: Config, chosen: DriveKeys): Config {
    const { baseUrl } = this.#settings.config
    const others = Object.entries(config).filter(([key]) => !driveKeys.has(key))
    const server = chosen.model === undefined || baseUrl === undefined ? {} : { baseUrl }
    return { ...Object.fromEntries(others), ...chosen, ...server }
  }
}

const driveKeys = new Set(['agent', 'model', 'baseUrl'])
