import {
  cliDrive,
  type CliDriveOptions,
  addUsage,
  noUsage,
  usageSince,
  withSilences,
  type AgentSignal,
  type TurnEnded,
  RecordFile,
} from '../../protocol/stream/index.ts'
import type { Drive } from '@donecheck/engine/ports/loop'
import { geminiTranslator } from './translate.ts'
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { makeScratchFolder } from '@donecheck/engine/process'
import { join } from 'node:path'
import type { TokenUsage } from '@donecheck/core/budgets'
import { readdir } from 'node:fs/promises'
import { numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import { given } from '@donecheck/engine/base'

export type GeminiDriveOptions = CliDriveOptions

const chosenHere = {
  prompt: 'the prompt is the task, and then what the checks have found',
  talk: 'nobody is there to talk to it',
  form: 'the form of the output is chosen here',
  session: 'the session is chosen here',
  folder: 'the checks look at the folder of the run',
}

const gemini = cliDrive({
  program: 'gemini',
  description: { maxOutputTokens: 65_536, contextWindowTokens: 1_000_000 },
  refused: {
    ...{ '--prompt': chosenHere.prompt, '-p': chosenHere.prompt },
    ...{ '--prompt-interactive': chosenHere.talk, '-i': chosenHere.talk },
    ...{ '--output-format': chosenHere.form, '-o': chosenHere.form },
    ...{ '--resume': chosenHere.session, '-r': chosenHere.session },
    ...{ '--session-id': chosenHere.session, '--session-file': chosenHere.session },
    ...{ '--worktree': chosenHere.folder, '-w': chosenHere.folder },
  },
  wordsOf: (session, words, { ownChecks = [], folder }) => [
    ...['--output-format', 'stream-json'],
    ...(words.some((word) => saysApproval.test(word)) ? [] : ['--approval-mode', 'auto_edit']),
    ...(session === undefined ? [] : ['--resume', session]),
    ...checkPolicyWords(ownChecks, folder),
    ...words,
  ],
  inputOf: ({ prompt, session }) => (session === undefined ? prompt : literal(prompt)),
  translator: geminiTranslator,
  inOrder(signals, environment) {
    const sinceMs = Date.now()
    return withSteps(signals, (id) => sessionUsage({ id, sinceMs, environment }))
  },
})

/**
 * Without a word on approvals it may edit files and run the checks of the run, and nothing else is approved for it: nobody is there to ask, and a shell without
 * a sandbox is more than a file that the next check looks at. `--yolo` (best with `--sandbox`) approves everything, and its own
 * policies and settings hold as ever.
 * @throws {UsageError} for words that would take the turn out of our hands
 */
export function geminiDrive(options: GeminiDriveOptions): Drive {
  return gemini(options)
}

const saysApproval = /^(?:--approval-mode|--yolo|-y)(?:=|$)/

/**
 * Gemini CLI puts the content of files behind every `@path`, and of the first that is named alike. In a task that is what its
 * author wants; in evidence, such as a stack trace with `node_modules/@scope`, it is not.
 */
function literal(prompt: string): string {
  return prompt.replaceAll(/(?<!\\)@/g, String.raw`\@`)
}

/**
 * The rules as TOML. Gemini CLI matches the JSON text of the arguments, and asks about each part of a pipeline again. It
 * refuses expressions with a quantifier behind a group, so each form of a line has a rule of its own. They rank below every
 * rule of the user: what the user denies stays denied.
 */
export function checkPolicy(checks: readonly string[], folder: string): string {
  const changeFolder = `cd ${inJson(folder)}`
  const check = `(?:${checks.map((line) => inJson(line.trim())).join('|')})`
  const pipe = String.raw` \| ${reader}`
  const lines = ['', `${changeFolder} && `].flatMap((start) =>
    ['', ' 2>&1'].flatMap((merge) =>
      ['', pipe, pipe + pipe].map((readers) => `${start}${check}${merge}${readers}`),
    ),
  )
  return [...lines, reader, changeFolder].map(allowing).join('\n\n')
}

const reader = String.raw`(?:head|tail)[-nc \d]*`

function allowing(pattern: string): string {
  return [
    '[[rule]]',
    'toolName = "run_shell_command"',
    `commandRegex = ${JSON.stringify(`${pattern}"(?!.*"dir_path":)`)}`,
    'decision = "allow"',
    'priority = 1',
    'allowRedirection = true',
  ].join('\n')
}

function inJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
}

function checkPolicyWords(checks: readonly string[], folder: string): readonly string[] {
  if (checks.length === 0) return []
  const place = makeScratchFolder('gemini')
  const file = join(place, 'own-checks.toml')
  writeFileSync(file, `${checkPolicy(checks, folder)}\n`, { mode: 0o600 })
  return ['--policy', file]
}

/** Everything used in the turn so far. Undefined when no usage is recorded. Never rejects. */
type UsageSoFar = () => Promise<TokenUsage | undefined>

/**
 * Puts a `step` behind the calls of each reply: at the first end of a call, or when nothing more comes. What no step has told
 * stands in the end of the turn.
 */
export async function* withSteps(
  signals: AsyncIterable<AgentSignal>,
  usageOf: (session: string) => UsageSoFar,
): AsyncGenerator<AgentSignal> {
  let soFar: UsageSoFar | undefined
  let reported: TokenUsage | undefined
  let isOpen = false
  const step = async (): Promise<AgentSignal> => {
    isOpen = false
    const total = await soFar?.()
    const usage = total === undefined ? noUsage : usageSince(total, reported)
    reported = addUsage(reported, usage)
    return { kind: 'step', usage }
  }
  for await (const signal of withSilences(signals)) {
    if (signal.kind === 'session') soFar ??= usageOf(signal.id)
    if (isOpen && signal.kind !== 'call') yield await step()
    if (signal.kind === 'silence') continue
    if (signal.kind === 'call') isOpen = true
    yield signal.kind === 'turn-ended' ? withoutTold(signal, reported) : signal
  }
}

function withoutTold(ended: TurnEnded, reported: TokenUsage | undefined): TurnEnded {
  const { usage } = ended
  if (usage === undefined || reported === undefined) return ended
  const isMore = reported.inputTokens > usage.inputTokens || reported.outputTokens > usage.outputTokens
  return { ...ended, usage: isMore ? noUsage : usageSince(usage, reported) }
}

interface SessionLocation {
  readonly id: string
  readonly sinceMs: number
  readonly environment: Readonly<Record<string, string>>
}

/** The record may be missing, moved, or forged by the agent: then less is known in mid-turn, and as much at the end. */
function sessionUsage(place: SessionLocation): UsageSoFar {
  const recorded = new RecordedUsage(new Date(place.sinceMs).toISOString())
  let record: RecordFile | undefined
  return async () => {
    const file = record === undefined ? await findSessionFile(place).catch(() => undefined) : undefined
    if (file !== undefined) record = new RecordFile(file)
    recorded.add((await record?.news()) ?? [])
    return recorded.total()
  }
}

async function findSessionFile({ id, environment }: SessionLocation): Promise<string | undefined> {
  const home = environment['GEMINI_CLI_HOME'] ?? environment['HOME'] ?? homedir()
  const projects = join(home, '.gemini', 'tmp')
  const ending = `-${id.slice(0, 8)}.jsonl`
  for (const project of await readdir(projects)) {
    const chats = join(projects, project, 'chats')
    const names = await readdir(chats).catch(() => [])
    const found = names.findLast((name) => name.startsWith('session-') && name.endsWith(ending))
    if (found !== undefined) return join(chats, found)
  }
  return undefined
}

/** A reply appears in the record again whenever more about it is known, so its last entry counts. */
export class RecordedUsage {
  readonly #since: string
  readonly #usages = new Map<string, TokenUsage>()

  /** @param since in ISO 8601, of UTC: what is older is of earlier turns */
  constructor(since: string) {
    this.#since = since
  }

  add(entries: readonly unknown[]): void {
    for (const entry of entries.map(payloadOf)) {
      const id = textIn(entry, 'id')
      if (entry === undefined || id === undefined || textIn(entry, 'type') !== 'gemini') continue
      if ((textIn(entry, 'timestamp') ?? '') < this.#since) continue
      const usage = usageOf(payloadOf(entry['tokens']) ?? {})
      if (usage !== undefined) this.#usages.set(id, usage)
    }
  }

  total(): TokenUsage | undefined {
    let sum: TokenUsage | undefined
    for (const usage of this.#usages.values()) sum = addUsage(sum, usage)
    return sum
  }
}

/** Thoughts and the words of tools are counted in the total alone, as in the stream. */
function usageOf(tokens: Payload): TokenUsage | undefined {
  const inputTokens = numberIn(tokens, 'input')
  const spoken = numberIn(tokens, 'output')
  if (inputTokens === undefined || spoken === undefined || inputTokens < 0 || spoken < 0) return undefined
  const cached = numberIn(tokens, 'cached')
  return {
    inputTokens,
    outputTokens: Math.max(spoken, (numberIn(tokens, 'total') ?? 0) - inputTokens),
    ...given({
      cachedInputTokens: cached === undefined || cached < 0 ? undefined : Math.min(cached, inputTokens),
    }),
    estimated: false,
  }
}
