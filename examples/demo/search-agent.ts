/**
 * An agent that searches: it repairs a project by changing one place of its source a turn, and lets the project's own
 * failing check decide. It knows no language model, claims nothing, and puts back what did not help.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Agent } from 'donecheck'
import type { AgentResponse, AgentRequest } from '@donecheck/engine'
import { quotedLines } from './clues.ts'
import { applyCandidate, candidatesIn, type Candidate } from './mutations/index.ts'
import { ranked } from './ranking.ts'
import { readSource, sourceNames, type SourceFile } from './sources.ts'

export interface SearchOptions {
  readonly folder: string
  /** Names relative to the folder. Default: every source that is not a test, a setting or installed. */
  readonly files?: readonly string[]
  /** Default: every candidate. */
  readonly maxTries?: number
}

export interface AgentSearch extends Agent {
  readonly fileCount: number
  /** Edits that it can try. */
  readonly tryCount: number
  /** Turns that it needs at most: one to look, one for each try, one to put everything back. */
  readonly maxTurns: number
  /** The edit that stands in the source now. */
  readonly applied: Candidate | undefined
  /** Puts the source back as it was, byte for byte: for whoever ends a run that is not verified. */
  restore(): Promise<void>
}

/** For one run: what stands in the folder now is what it goes back to. */
export async function searchAgent(options: SearchOptions): Promise<AgentSearch> {
  const names = options.files ?? (await sourceNames(options.folder))
  const sources: SourceFile[] = []
  for (const name of names) {
    const source = await readSource(options.folder, name)
    if (source !== undefined) sources.push(source)
  }
  return new Search(options.folder, sources, options.maxTries ?? Infinity)
}

class Search implements AgentSearch {
  readonly description = {
    kind: 'custom',
    name: 'search',
    sideEffects: true,
    reportsUsage: true,
    prices: { inputPerMillionTokens: 0, outputPerMillionTokens: 0 },
    maxOutputTokens: 1_000,
    contextWindowTokens: 1_000_000,
  } as const
  readonly fileCount: number
  readonly tryCount: number
  readonly #folder: string
  readonly #sources: ReadonlyMap<string, SourceFile>
  readonly #candidates: readonly Candidate[]
  /** Undefined until the check has been heard once. */
  #order: readonly Candidate[] | undefined
  #hasLooked = false
  #tried = 0
  #applied: Candidate | undefined

  constructor(folder: string, sources: readonly SourceFile[], maxTries: number) {
    this.#folder = folder
    this.#sources = new Map(sources.map((source) => [source.name, source]))
    this.#candidates = sources.flatMap(({ name, text }) => candidatesIn(name, text))
    this.fileCount = sources.length
    this.tryCount = Math.min(maxTries, this.#candidates.length)
  }

  get maxTurns(): number {
    return this.tryCount + 2
  }

  get applied(): Candidate | undefined {
    return this.#applied
  }

  async next(request: AgentRequest, signal: AbortSignal): Promise<AgentResponse> {
    await this.restore()
    if (signal.aborted) return interrupted
    if (!this.#hasLooked) return this.#look()
    this.#order ??= await this.#ranked(request.conversation.rounds.at(-1)?.feedback ?? '')
    const candidate = this.#tried < this.tryCount ? this.#order[this.#tried] : undefined
    if (candidate === undefined)
      return reply(`No edit is left after ${this.#tried}. The source is as it was.`)
    await this.#apply(candidate)
    this.#tried += 1
    const { file, line, description } = candidate
    return reply(`Try ${this.#tried} of ${this.tryCount}: ${file} line ${line}: ${description}`)
  }

  async restore(): Promise<void> {
    if (this.#applied === undefined) return
    const original = this.#sources.get(this.#applied.file)
    if (original !== undefined) await writeFile(path.join(this.#folder, original.name), original.bytes)
    this.#applied = undefined
  }

  /** The first turn changes nothing: what the check says then is about the source as it is. */
  #look(): AgentResponse {
    this.#hasLooked = true
    return reply(
      `I can try ${count(this.tryCount, 'edit')} in ${count(this.fileCount, 'file')}. First: what does the check say?`,
    )
  }

  async #ranked(feedback: string): Promise<readonly Candidate[]> {
    const texts = new Map([...this.#sources].map(([name, { text }]) => [name, text]))
    return ranked(this.#candidates, texts, { feedback, quoted: await quotedLines(this.#folder, feedback) })
  }

  async #apply(candidate: Candidate): Promise<void> {
    const source = this.#sources.get(candidate.file)
    if (source === undefined) return
    this.#applied = candidate
    await writeFile(path.join(this.#folder, source.name), applyCandidate(source.text, candidate))
  }
}

function reply(text: string): AgentResponse {
  const usage = { inputTokens: 0, outputTokens: 0, estimated: false }
  return { kind: 'replied', text, toolCalls: [], finish: 'stop', usage }
}

const interrupted: AgentResponse = {
  kind: 'failed',
  failure: { kind: 'interrupted', message: 'the search was broken off', retryable: true },
  usage: null,
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
