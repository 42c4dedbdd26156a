import { userInfo } from 'node:os'
import { snapshotFolderOf, goalControl, type TopUp } from '@donecheck/engine/compose'
import type { Approver } from '@donecheck/engine/ports/gate'
import type { Store } from '@donecheck/engine/ports/store'
import { keptTrees } from '@donecheck/engine/workspace'
import type { Beginning, ChatHost, Watcher, Work } from '../../chat/index.ts'
import { allowChanges } from '../commands/check/approve.ts'
import { explainRecord } from '../commands/record/explain.ts'
import { recordedSettings } from '../commands/run/resume.ts'
import { withPolicyKept } from '../commands/run/run.ts'
import { topUpOf } from '../options/top-up.ts'
import { knownColumns, type CliIo } from '../process/io.ts'
import { explanationLines, widestExplanation } from '../reasons/reasons-text.ts'
import { findRun } from '../settings/recipe.ts'
import { conduct, type Conduct } from './loop/conduct.ts'
import { PassThrough, Writable } from 'node:stream'
import { Command, CommanderError } from 'commander'
import { UsageError } from '@donecheck/engine/base'
import type { Line } from '@donecheck/engine/report'
import { wordsOfLine, namedAgent } from '../agents/agents.ts'
import { changeGoal, type GoalCommands } from '../commands/run/goal.ts'
import { goalLines } from '../output/goal-text.ts'
import { goalLine } from '../lines/goal.ts'
import { addCommand, type Act } from '../options/option.ts'
import { amounts, capTable, typedName } from '@donecheck/core/budgets'
import { findAgents } from '@donecheck/agents/registry'
import { inheritedEnvironment } from '@donecheck/engine/process'
import type { Config } from '../../config/index.ts'
import { hasVerifiedReplies, withoutDoubles, withProjectTests } from './checks/some-check.ts'
import type { Settings } from '../settings/store-folder.ts'
import { withTextsRead } from './judging/judge.ts'
import { chooseDrive, nearestAgent } from './loop/loop-options.ts'

const maxHistory = 200

export function chatHost(own: SessionSettings, settings: Settings, store: Store, io: CliIo): ChatHost {
  const { workFolder } = settings
  const runs = async () =>
    (await store.list()).filter(
      (run) => run.workFolder === workFolder && run.imported !== true && run.task !== 'verify',
    )
  const request = async (beginning: Beginning, quiet: CliIo): Promise<Omit<Conduct, 'face'>> => {
    if (beginning.kind === 'new') {
      await own.takeProjectTests((message) => quiet.stderr.write(`${message}\n`))
      const config = await withPolicyKept(
        await withTextsRead(own.config, workFolder, quiet),
        workFolder,
        quiet,
      )
      const { task, context: rules } = beginning
      const whole = rules === '' ? task : `${task}\n\n${rules}`
      return { config, workFolder, store, io: quiet, past: [], begin: (loop) => loop.run(whole, { rules }) }
    }
    const { runId, topUp } = beginning
    const past = await store.read(runId)
    const recorded = recordedSettings(past, runId, settings)
    const more = topUp === undefined ? {} : { topUp, by: person }
    const config = own.withChosenDrive(recorded.config)
    return { ...recorded, config, store, io: quiet, past, begin: (loop) => loop.resume(runId, more) }
  }
  return {
    workFolder,
    store,
    trees: keptTrees({
      folder: workFolder,
      snapshotFolder: snapshotFolderOf({}, store),
    }),
    person,
    earlierWords: async () =>
      [...new Set((await runs()).map(({ task }) => firstParagraph(task)))].slice(0, maxHistory),
    begin: (beginning, watcher, approver) =>
      workOf((quiet) => request(beginning, quiet), watcher, approver, io),
    drive: () => own.drive,
    drives: () => own.drives(),
    chooseDrive: (words) => own.chooseDrive(words),
    checks: () => own.checks,
    addCheck: (command) => own.addCheck(command),
    budget: () => own.budget(),
    topUp: (words) => topUpOf(words),
    setBudget: (amounts) => own.setBudget(amounts),
    goal: (runId, words) => performGoal(store, runId, words, io),
    explain: async (runId) =>
      explanationLines(await explainRecord(runId, store), knownColumns(io.stdout, widestExplanation)),
    runs,
    findRun: (words) => findRun(store, words),
    allowChanges: (runId, paths) => allowChanges(store, runId, { paths, by: person, reason: '' }),
  }
}

const person = userInfo().username

function firstParagraph(task: string): string {
  return task.split('\n\n')[0] ?? task
}

function workOf(
  request: (quiet: CliIo) => Promise<Omit<Conduct, 'face'>>,
  watcher: Watcher,
  approver: Approver,
  io: CliIo,
): Work {
  const quiet = collectingIo(io, (line) => watcher.notice(line))
  const { event, text, notice, output: onOutput } = watcher
  let isStopped = false
  let stop = (): void => {
    isStopped = true
  }
  const face = {
    output: { event, text, notice, end: () => undefined, close: () => undefined },
    approver,
    onOutput,
    onInterrupts: (interrupt: (name: string) => void) => {
      stop = () => interrupt('Ctrl-C')
      if (isStopped) stop()
    },
  }
  const ended = request(quiet).then(async (made) => {
    await conduct({ ...made, face })
  })
  return { interrupt: () => stop(), ended }
}

/** An io that sends whole lines to another screen and cannot ask. */
function collectingIo(io: CliIo, onLine: (line: string) => void): CliIo {
  // Not a spread: reading `stdin` would open it.
  const { environment, currentFolder, homeFolder } = io
  const [stdout, stderr] = [collector(onLine), collector(onLine)]
  return { environment, currentFolder, homeFolder, stdin: new PassThrough().end(), stdout, stderr }
}

function collector(onLine: (line: string) => void): Writable {
  let rest = ''
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
      done()
    },
  })
}

/** @throws {UsageError} as `donecheck goal` */
async function performGoal(store: Store, runId: string, typed: string, io: CliIo): Promise<readonly Line[]> {
  const [action = 'show', ...words] = wordsOfLine(typed) ?? typed.split(/\s+/).filter((word) => word !== '')
  let lines: readonly Line[] = []
  const program = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
  const commands: GoalCommands = {
    async goalShowCommand() {
      lines = goalLines(await goalControl(store).show(runId))
      return 0
    },
    async goalChangeCommand(kind, _run, text, flags) {
      lines = [{ tone: 'plain', text: await changeGoal(store, kind, runId, text, flags) }]
      return 0
    },
  }
  const act: Act =
    (load) =>
    async (...given) => {
      const perform = await load(() => Promise.resolve(0))
      await perform(...given.slice(0, -1), io)
    }
  addCommand(
    program,
    goalLine(() => Promise.resolve(commands)),
    act,
  )
  try {
    await program.parseAsync(['goal', action, runId, ...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    throw new UsageError(error.message.replace(/^error: /, ''))
  }
  return lines
}

type DriveKeys = Pick<Config, 'agent' | 'model'>

export class SessionSettings {
  readonly #settings: Settings
  readonly #io: CliIo
  #config: Config
  #chosen: DriveKeys | undefined

  constructor(settings: Settings, io: CliIo) {
    this.#settings = settings
    this.#io = io
    this.#config = settings.config
  }

  get config(): Config {
    return this.#config
  }

  get drive(): string {
    return this.#config.agent ?? this.#config.model ?? ''
  }

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

  /** Such as `openai/gpt-5`, `claude`, or `agent mytool {prompt}`. @throws {UsageError} if it cannot run here */
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

  /** A custom server may use any model name. @throws {UsageError} for a likely typo of an agent */
  #refuseMisspelt(typed: string): void {
    const near =
      typed.includes('/') || this.#settings.config.baseUrl !== undefined ? undefined : nearestAgent(typed)
    if (near !== undefined)
      throw new UsageError(`there is no agent or model "${typed}"; did you mean "${near}"?`)
  }

  /** A resumed run keeps its agent unless the user chose another. */
  withChosenDrive(config: Config): Config {
    return this.#chosen === undefined ? config : this.#with(config, this.#chosen)
  }

  get checks(): readonly string[] {
    const { until = [], presets = [] } = this.#config
    return [...until.map(({ name, command }) => name ?? command), ...presets]
  }

  /** Looks again for each run: tests may have been added since the session started. */
  async takeProjectTests(notice: (message: string) => void): Promise<void> {
    if (hasVerifiedReplies(this.#config)) return
    const tell = (message: string) => notice(`${message} (/until names others)`)
    this.#config = await withProjectTests(this.#config, this.#settings.workFolder, this.#io, tell)
  }

  /** @returns false if it was a check already */
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
      return bound === undefined ? [] : [`${typedName(name)}=${bound}`]
    })
    const text =
      named.length === 0 ? 'the usual caps hold: 90 turns, 600 seconds' : `for new runs: ${named.join(', ')}`
    return [{ tone: 'plain', text }]
  }

  /** Keeps a custom server for models. */
  #with(config: Config, chosen: DriveKeys): Config {
    const { baseUrl } = this.#settings.config
    const others = Object.entries(config).filter(([key]) => !driveKeys.has(key))
    const server = chosen.model === undefined || baseUrl === undefined ? {} : { baseUrl }
    return { ...Object.fromEntries(others), ...chosen, ...server }
  }
}

const driveKeys = new Set(['agent', 'model', 'baseUrl'])
