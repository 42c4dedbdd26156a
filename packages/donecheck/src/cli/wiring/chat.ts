import { userInfo } from 'node:os'
import { snapshotFolderOf, type TopUp } from '@donecheck/engine/internal/loop/compose'
import type { Approver } from '@donecheck/engine/internal/ports/gate'
import type { Store, RunSummary } from '@donecheck/engine/internal/ports/store'
import { keptTrees, type KeptTrees } from '@donecheck/engine/internal/checks/workspace'
import type { Beginning, ChatHost, Watcher, Work } from '../../chat/index.ts'
import { recordedSettings } from '../commands/run/resume.ts'
import { withPolicyKept } from '../commands/run/run.ts'
import { knownColumns, type CliIo } from '../process/io.ts'
import { explanationLines, widestExplanation } from '../reasons/reasons-text.ts'
import { findRun } from '../settings/recipe.ts'
import { conduct, type Conduct } from './loop/conduct.ts'
import { PassThrough, Writable } from 'node:stream'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Line } from '@donecheck/engine/display'
import { wordsOfLine, namedAgent } from '../agents/agents.ts'
import { amounts, capTable, typedName } from '@donecheck/core/internal/budgets'
import { findAgents } from '@donecheck/agents/internal/protocol/registry'
import { inheritedEnvironment } from '@donecheck/engine/internal/system/process'
import type { Config } from '../../config/index.ts'
import type { Settings } from '../settings/store-folder.ts'
import { withTextsRead } from './judging/judge.ts'
import { chooseAgent, nearestAgent } from './loop/loop-options.ts'
import type { RunWords } from '../options/option.ts'
import { explainRecord } from '../commands/record/show.ts'
import { topUpOf } from './judging/judging-options.ts'
import { allowChanges } from '../commands/check/approve.ts'
import { hasVerifiedReplies, withoutDoubles, withProjectTests } from './some-check.ts'

const maxHistory = 200

type AgentKeys = Pick<Config, 'agent' | 'model'>

const agentKeys = new Set(['agent', 'model', 'baseUrl'])

const person = userInfo().username

/** A chat session over the command: starts runs as `donecheck run` does, and resumes them as `donecheck resume` does. */
export class CommandHost implements ChatHost {
  readonly workFolder: string
  readonly store: Store
  readonly trees: KeptTrees
  readonly person = person
  readonly #settings: Settings
  readonly #io: CliIo
  readonly #runWords: RunWords
  #config: Config
  #chosen: AgentKeys | undefined

  constructor(settings: Settings, store: Store, io: CliIo, runWords: RunWords) {
    this.workFolder = settings.workFolder
    this.store = store
    this.trees = keptTrees({ folder: settings.workFolder, snapshotFolder: snapshotFolderOf({}, store) })
    this.#settings = settings
    this.#io = io
    this.#runWords = runWords
    this.#config = settings.config
  }

  async earlierWords(): Promise<readonly string[]> {
    const tasks = (await this.runs()).map(({ task }) => task.split('\n\n')[0] ?? task)
    return [...new Set(tasks)].slice(0, maxHistory)
  }

  begin(beginning: Beginning, watcher: Watcher, approver: Approver): Work {
    const quiet = collectingIo(this.#io, (line) => watcher.notice(line))
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
    const ended = this.#request(beginning, quiet).then(async (request) => {
      await conduct({ ...request, face })
    })
    return { interrupt: () => stop(), ended }
  }

  async #request(beginning: Beginning, io: CliIo): Promise<Omit<Conduct, 'face'>> {
    const { workFolder, store } = this
    if (beginning.kind === 'new') {
      await this.takeProjectTests((message) => io.stderr.write(`${message}\n`))
      const config = await withPolicyKept(await withTextsRead(this.#config, workFolder, io), workFolder, io)
      const { task, context: rules } = beginning
      const whole = rules === '' ? task : `${task}\n\n${rules}`
      return { config, workFolder, store, io, past: [], begin: (loop) => loop.run(whole, { rules }) }
    }
    const { runId, topUp } = beginning
    const past = await store.read(runId)
    const recorded = recordedSettings(past, runId, this.#settings)
    const more = topUp === undefined ? {} : { topUp, by: person }
    // A resumed run keeps its agent unless the user chose another.
    const config = this.#chosen === undefined ? recorded.config : this.#with(recorded.config, this.#chosen)
    return { ...recorded, config, store, io, past, begin: (loop) => loop.resume(runId, more) }
  }

  agent(): string {
    return this.#config.agent ?? this.#config.model ?? ''
  }

  async agents(): Promise<readonly string[]> {
    const found = await findAgents({ environment: inheritedEnvironment(this.#io.environment) })
    const { agent, model } = this.#settings.config
    return [...new Set([agent ?? [], model ?? [], found.map(({ name }) => name)].flat())]
  }

  /** Such as `openai/gpt-5`, `claude`, or `agent mytool {prompt}`. @throws {UsageError} if it cannot run here */
  async chooseAgent(typed: string): Promise<void> {
    const [, kind, rest = typed] = /^(?:--)?(agent|model) +(.+)$/.exec(typed) ?? []
    const isAgent = kind === undefined ? namedAgent(rest) !== undefined : kind === 'agent'
    if (kind === undefined && !isAgent) this.#refuseMisspelt(rest)
    const chosen: AgentKeys = isAgent ? { agent: rest } : { model: rest }
    const config = this.#with(this.#config, chosen)
    await chooseAgent(config, this.workFolder, this.#io)
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

  checks(): readonly string[] {
    const { until = [], presets = [] } = this.#config
    return [...until.map(({ name, command }) => name ?? command), ...presets]
  }

  /** Looks again for each run: tests may have been added since the session started. */
  async takeProjectTests(notice: (message: string) => void): Promise<void> {
    if (hasVerifiedReplies(this.#config)) return
    const tell = (message: string) => notice(`${message} (/until names others)`)
    this.#config = await withProjectTests(this.#config, this.workFolder, this.#io, tell)
  }

  async addCheck(command: string): Promise<boolean> {
    const { until = [], presets = [] } = this.#config
    if (until.some((check) => check.command === command)) return false
    const { presets: named = [] } = this.#settings.config
    const more = { ...this.#config, until: [...until, { command }] }
    const config = await withoutDoubles({ ...more, presets }, this.workFolder)
    if (config.until?.length === until.length) return false
    this.#config = { ...config, presets: named }
    return true
  }

  topUp(words: string): TopUp {
    return topUpOf(words)
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

  async goal(runId: string, typed: string): Promise<readonly Line[]> {
    const lines: Line[] = []
    const [action = 'show', ...words] = wordsOfLine(typed) ?? typed.split(/\s+/).filter((word) => word !== '')
    const { store: named } = this.#settings.config
    const place = ['--workdir', this.workFolder, ...(named === undefined ? [] : ['--store', named])]
    const io = collectingIo(this.#io, (text) => lines.push({ tone: 'plain', text }))
    await this.#runWords(['goal', action, runId, ...words, ...place], io)
    return lines
  }

  async explain(runId: string): Promise<readonly Line[]> {
    const columns = knownColumns(this.#io.stdout, widestExplanation)
    return explanationLines(await explainRecord(runId, this.store), columns)
  }

  async runs(): Promise<readonly RunSummary[]> {
    return (await this.store.list()).filter(
      (run) => run.workFolder === this.workFolder && run.imported !== true && run.task !== 'verify',
    )
  }

  findRun(words: string): Promise<string> {
    return findRun(this.store, words)
  }

  allowChanges(runId: string, paths: readonly string[]): Promise<readonly string[]> {
    return allowChanges(this.store, runId, { paths, by: person, reason: '' })
  }

  #with(config: Config, chosen: AgentKeys): Config {
    const { baseUrl } = this.#settings.config
    const others = Object.entries(config).filter(([key]) => !agentKeys.has(key))
    const server = chosen.model === undefined || baseUrl === undefined ? {} : { baseUrl }
    return { ...Object.fromEntries(others), ...chosen, ...server }
  }
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
