/** Gemini CLI as an outer loop: one process per turn, always in the same session. */
import { programTurn, streamedDrive, type AgentTurn, type TurnStart } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import type { Drive } from '../../ports.ts'
import { inheritedEnvironment } from '../../process/index.ts'
import { sessionUsage } from './session-usage.ts'
import { withSteps } from './steps.ts'
import { geminiTranslator } from './translate-stream.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

export interface GeminiDriveOptions {
  readonly folder: string
  /** All of the agent's environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** For `gemini`, such as `-m`, `gemini-2.5-pro`. */
  readonly words?: readonly string[]
  /** Of one turn. Null: no bound. */
  readonly timeoutMs: number | null
}

const geminiDriveKeys: OptionKeys<GeminiDriveOptions> = {
  folder: 'needed',
  environment: true,
  words: true,
  timeoutMs: 'needed',
}

/**
 * Without a word on approvals it may edit files and nothing else is approved for it: nobody is there to ask, and a shell without
 * a sandbox is more than a file that the next check looks at. `--yolo` (best with `--sandbox`) approves everything, and its own
 * policies and settings hold as ever.
 * @throws {UsageError} for words that would take the turn out of our hands
 */
export function geminiDrive(options: GeminiDriveOptions): Drive {
  assertKnownKeys(options, geminiDriveKeys, 'geminiDrive')
  const { words = [], timeoutMs } = options
  refuseWords(words)
  return streamedDrive({
    description: {
      name: ['gemini', ...words].join(' '),
      reportsUsage: true,
      prices: null,
      maxOutputTokens: 65_536,
      contextWindowTokens: 1_000_000,
    },
    tellsSteps: true,
    timeoutMs,
    startTurn: (start) => startTurn(start, options),
  })
}

function startTurn(
  { prompt, session }: TurnStart,
  { folder, words = [], ...options }: GeminiDriveOptions,
): AgentTurn {
  const environment = { ...(options.environment ?? inheritedEnvironment()), PWD: folder }
  const sinceMs = Date.now()
  const turn = programTurn(
    {
      command: {
        words: [
          'gemini',
          '--output-format',
          'stream-json',
          ...(saysApproval(words) ? [] : ['--approval-mode', 'auto_edit']),
          ...(session === undefined ? [] : ['--resume', session]),
          ...words,
        ],
      },
      folder,
      environment,
      stdin: session === undefined ? prompt : literal(prompt),
    },
    geminiTranslator(),
  )
  return { ...turn, signals: withSteps(turn.signals, (id) => sessionUsage({ id, sinceMs, environment })) }
}

/**
 * Gemini CLI puts the content of files behind every `@path`, and of the first that is named alike. In a task that is what its
 * author wants; in evidence, such as a stack trace with `node_modules/@scope`, it is not.
 */
function literal(prompt: string): string {
  return prompt.replaceAll(/(?<!\\)@/g, String.raw`\@`)
}

const approvalWords: readonly string[] = ['--approval-mode', '--yolo', '-y']

function saysApproval(words: readonly string[]): boolean {
  return words.some((word) => approvalWords.includes(nameOf(word)))
}

/** Each with what would be wrong with it. */
const refused: Readonly<Record<string, string>> = {
  '--prompt': 'the prompt is the task, and then what the checks have found',
  '-p': 'the prompt is the task, and then what the checks have found',
  '--prompt-interactive': 'nobody is there to talk to it',
  '-i': 'nobody is there to talk to it',
  '--output-format': 'the form of the output is chosen here',
  '-o': 'the form of the output is chosen here',
  '--resume': 'the session is chosen here',
  '-r': 'the session is chosen here',
  '--session-id': 'the session is chosen here',
  '--session-file': 'the session is chosen here',
  '--worktree': 'the checks look at the folder of the run',
  '-w': 'the checks look at the folder of the run',
}

function refuseWords(words: readonly string[]): void {
  for (const word of words) {
    const why = refused[nameOf(word)]
    if (why !== undefined) throw new UsageError(`gemini cannot be given ${word}: ${why}; leave it out`)
  }
}

function nameOf(word: string): string {
  return word.split('=')[0] ?? word
}
