import { messageOf, UsageError } from '@donecheck/engine/internal/base'
import { harmless, nearest, oneLine, type Line, line } from '@donecheck/core/internal/base'
import type { TopUp } from '@donecheck/engine/internal/loop/compose'
import type { RunState } from '@donecheck/core/internal/state'
import type { ChatHost } from '../host.ts'
import { evolveScreen, type Happening } from '../screen/evolve-screen.ts'
import { emptyScreen, isWorking, type Screen, plain, quiet } from '../screen/screen.ts'
import { Questions } from './questions.ts'
import { Runs } from './runs.ts'
import { Steps } from './steps.ts'
import { type Answer, type CommandSession, type SlashCommand, slashCommands } from '../commands.ts'

export interface Face {
  show(screen: Screen): void
  /** Fills the input line without sending it. */
  prefill(text: string): void
  close(): void
}

const tickMs = 250
/** Words that leave other programs are not sent to the agent. */
const leavingWords = /^(?:exit|quit)$/i
const maxToggled = 5

export class Session implements CommandSession {
  readonly host: ChatHost
  readonly steps: Steps
  readonly #runs: Runs
  readonly #questions: Questions
  readonly #left = Promise.withResolvers<undefined>()
  #face: Face | undefined
  #screen: Screen
  #isStale = false
  #noKind: 'no' | 'never' = 'no'

  constructor(host: ChatHost) {
    this.host = host
    this.steps = new Steps(host.trees)
    this.#screen = emptyScreen(host.agent(), Date.now())
    this.#questions = new Questions({
      asked: (question) => this.#happen({ kind: 'asked', question }),
      settled: ({ callId }) => this.#happen({ kind: 'answered', callId }),
    })
    this.#runs = new Runs(host, this.steps, this.#questions, {
      event: (event, state) => this.#happen({ kind: 'event', event, state }),
      text: (piece) => this.#happen({ kind: 'text', piece }),
      output: (from, piece) => this.#happen({ kind: 'output', from, piece }),
      notice: (message) => this.show([line('warning', message)]),
      said: (text) => this.#happen({ kind: 'said', text }),
      queued: (text) => this.#happen({ kind: 'queued', text }),
      begun: () => {
        this.#isStale = false
        this.#happen({ kind: 'word', word: 'thinking' })
      },
      ended: (error) => void this.#afterRun(error),
      givenBack: (words) => this.#prefill(words),
    })
  }

  get run(): RunState | undefined {
    return this.#runs.run
  }

  get isWorking(): boolean {
    return this.#runs.isWorking
  }

  get isStale(): boolean {
    return this.#isStale
  }

  get waiting(): readonly string[] {
    return this.#questions.summaries
  }

  get screen(): Screen {
    return this.#screen
  }

  /** Resolves when the user has left and no run is active. */
  async draw(face: Face): Promise<void> {
    this.#face = face
    face.show(this.#screen)
    const timer = setInterval(() => {
      if (isWorking(this.#screen) || this.waiting.length > 0) this.#happen({ kind: 'time-went-on' })
    }, tickMs)
    await this.#left.promise
    clearInterval(timer)
    face.close()
  }

  readonly show = (lines: readonly Line[]): void => this.#happen({ kind: 'lines', lines })
  readonly showDiff = (text: string): void => this.#happen({ kind: 'diff', text })
  readonly hint = (text: string): void => this.#happen({ kind: 'hint', text })
  readonly typed = (): void => this.#happen({ kind: 'typed' })
  readonly dropped = (count: number): void => this.#happen({ kind: 'dropped', count })
  readonly backToChoice = (): void => this.#happen({ kind: 'asks-for', what: 'choice' })

  readonly moved = (note: string): void => {
    this.#isStale = true
    this.#runs.note(note)
    this.#happen({ kind: 'files-moved' })
  }

  readonly addTopUp = (topUp: TopUp): void => this.#runs.addTopUp(topUp)
  readonly commands = (): readonly SlashCommand[] => slashCommands

  readonly toggleCalls = (): void => {
    const ids = this.#screen.blocks.flatMap((block) =>
      block.kind === 'call' && block.end !== undefined ? [block.callId] : [],
    )
    this.#happen({ kind: 'toggled', callIds: ids.slice(-maxToggled) })
  }

  readonly leave = (): void => {
    this.interrupt()
    void this.#runs.over.then(() => this.#left.resolve(undefined))
  }

  /** @returns false if there is nothing to stop */
  readonly interrupt = (): boolean => {
    const canStop = this.#runs.interrupt()
    if (canStop) this.#happen({ kind: 'word', word: 'stopping' })
    return canStop
  }

  /** Handles Enter. Never rejects. */
  readonly submit = async (text: string): Promise<void> => {
    const words = text.trim()
    const asksFor = this.#screen.questions[0]?.asksFor ?? 'choice'
    try {
      if (asksFor !== 'choice') this.answer({ kind: asksFor === 'edit' ? 'edit' : this.#noKind, words })
      else if (words.startsWith('/') && !words.startsWith('//')) await this.#perform(words)
      else if (leavingWords.test(words)) this.leave()
      else if (words !== '') await this.#runs.say(words.replace(/^\/\//, '/'))
    } catch (error) {
      this.show([line('warning', `! ${messageOf(error)}`)])
    }
  }

  readonly answerByKey = (key: string): void => {
    const question = this.#questions.first
    if (question === undefined) return
    if (key === 'n' || key === 'd') {
      this.#noKind = key === 'n' ? 'no' : 'never'
      this.#happen({ kind: 'asks-for', what: 'reason' })
    } else if (key === 'e') {
      this.#happen({ kind: 'asks-for', what: 'edit' })
      this.#prefill(question.action?.kind === 'command' ? question.action.script : '')
    } else this.answer({ kind: key === 'y' ? 'yes' : key === 's' ? 'session' : 'always', words: '' })
  }

  readonly answer = (answer: Answer): void => {
    const summary = this.#questions.first?.summary ?? ''
    this.#questions.answer(answer)
    const said = answer.words === '' ? answer.kind : `${answer.kind}, ${answer.words}`
    this.show([quiet(`  ${oneLine(summary, 200)}: ${oneLine(said, 200)}`)])
  }

  readonly pick = async (runId: string): Promise<void> => {
    const { task, phase } = await this.#runs.pick(runId)
    const outcome = phase.kind === 'stopped' ? phase.transition.outcome : 'not ended'
    this.show([plain(`run ${runId} (${outcome}): ${oneLine(task, 200)}`)])
  }

  readonly goOn = async (words: string): Promise<void> => {
    if (words === '') this.#runs.goOn()
    else await this.#runs.say(words)
  }

  #prefill(text: string): void {
    this.#face?.prefill(harmless(text))
  }

  async #perform(line: string): Promise<void> {
    const name = /^\/(\S*)/.exec(line)?.[1] ?? ''
    this.#happen({ kind: 'said', text: line })
    const command = commandNamed(name)
    if (command === undefined) {
      const near = nearest(
        name,
        slashCommands.map((one) => one.name),
      )
      const meant = near === undefined ? '' : `did you mean /${near}? `
      throw new UsageError(`there is no /${name}; ${meant}/help lists the commands, and // sends it as words`)
    }
    const agent = this.host.agent()
    await command.perform(line.slice(name.length + 1).trim(), this)
    if (this.host.agent() !== agent) this.#happen({ kind: 'agent', name: this.host.agent() })
  }

  async #afterRun(error: unknown): Promise<void> {
    if (error !== undefined) this.show([line('bad', `! ${messageOf(error)}`)])
    this.#happen({ kind: 'word', word: 'ready' })
    const { queued } = this.#screen
    if (queued.length === 0) return
    try {
      const became = await this.#runs.takeUp(queued)
      if (became === 'begins') this.#happen({ kind: 'unqueued' })
    } catch (failure) {
      this.show([line('warning', messageOf(failure))])
    }
  }

  #happen(happening: Happening): void {
    this.#screen = evolveScreen(this.#screen, happening, Date.now())
    this.#face?.show(this.#screen)
  }
}

/** By name, or by a unique prefix. */
function commandNamed(typed: string): SlashCommand | undefined {
  const begun = slashCommands.filter(({ name }) => typed !== '' && name.startsWith(typed))
  return slashCommands.find(({ name }) => name === typed) ?? (begun.length === 1 ? begun[0] : undefined)
}
