/** The configuration of a session: that of the flags and files, and what the person changes while it lasts. */
import { amounts, capTable, typedName } from '@donecheck/core/budgets'
import type { TopUp } from '@donecheck/engine/compose'
import { findAgents } from '@donecheck/agents/registry'
import { inheritedEnvironment } from '@donecheck/engine/process'
import type { Line } from '@donecheck/engine/report'
import type { Config } from '../../../config/index.ts'
import { namedAgent } from '../../agents/agents.ts'
import type { CliIo } from '../../process/io.ts'
import type { Settings } from '../../settings/settings.ts'
import { chooseDrive } from '../loop/drive-choice.ts'

/** As the person has given them. */
export function checkNamesOf({ until = [], presets = [] }: Config): readonly string[] {
  return [...until.map(({ name, command }) => name ?? command), ...presets]
}

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

  async drives(): Promise<readonly string[]> {
    const found = await findAgents({ environment: inheritedEnvironment(this.#io.environment) })
    const { agent, model } = this.#settings.config
    return [...new Set([agent ?? [], model ?? [], found.map(({ name }) => name)].flat())]
  }

  /** Such as `openai/gpt-5`, `claude`, `agent mytool {prompt}`. @throws {UsageError} for what cannot drive here */
  async chooseDrive(typed: string): Promise<void> {
    const [, kind, rest = typed] = /^(?:--)?(agent|model) +(.+)$/.exec(typed) ?? []
    const isAgent = kind === undefined ? namedAgent(rest) !== undefined : kind === 'agent'
    const chosen: DriveKeys = isAgent ? { agent: rest } : { model: rest }
    const config = this.#with(this.#config, chosen)
    await chooseDrive(config, this.#settings.workFolder, this.#io)
    this.#chosen = chosen
    this.#config = config
  }

  /** A run that goes on keeps what it was driven by, unless the person has chosen. */
  withChosenDrive(config: Config): Config {
    return this.#chosen === undefined ? config : this.#with(config, this.#chosen)
  }

  get checks(): readonly string[] {
    return checkNamesOf(this.#config)
  }

  addCheck(command: string): void {
    const { until = [] } = this.#config
    if (until.some((check) => check.command === command)) return
    this.#config = { ...this.#config, until: [...until, { command }] }
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
