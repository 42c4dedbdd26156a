/** Claude Code as an outer loop: one process a turn, every turn in the same session, and the checks outside of both. */
import { createHash } from 'node:crypto'
import { programTurn, streamedDrive, type TurnStart } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import type { Drive } from '../../ports.ts'
import { inheritedEnvironment } from '../../process/index.ts'
import { ClaudeSpending } from './spending.ts'
import { ClaudeTranslator } from './translate-stream.ts'

export interface ClaudeCodeDriveOptions {
  readonly folder: string
  /** All of its environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** Further words of its command line, such as `['--model', 'opus']`: they win over ours. */
  readonly words?: readonly string[]
  /** Of one turn. Null: no bound. */
  readonly timeoutMs: number | null
  /** Default: `claude` on PATH. */
  readonly program?: string
}

/** By these words a turn is begun, gone on with and read; they cannot be given. */
const ours: ReadonlySet<string> = new Set([
  ...['-p', '--print', '--output-format', '--input-format', '--verbose', '--include-partial-messages'],
  ...['--session-id', '-r', '--resume', '-c', '--continue', '--fork-session', '--no-session-persistence'],
  ...['--bg', '--background', '--cloud', '--desktop'],
])

/**
 * It edits files without a question, as whoever lets it work alone expects, and runs those commands that its own settings
 * allow: nobody is there to be asked, so it is refused all others and told so. More is a word of the user's:
 * `--permission-mode bypassPermissions`, or `--allowedTools "Bash(npm test)"`.
 */
const unattended = ['--permission-mode', 'acceptEdits'] as const
const permissionWords: ReadonlySet<string> = new Set(['--permission-mode', '--dangerously-skip-permissions'])

/** @throws {UsageError} for words that would change how it is asked, and for a bound that can never work */
export function claudeCodeDrive(options: ClaudeCodeDriveOptions): Drive {
  const { folder, words = [], timeoutMs, program = 'claude' } = options
  const taken = words.find((word) => ours.has(word.split('=', 1)[0] ?? ''))
  if (taken !== undefined)
    throw new UsageError(
      `${taken} cannot be given to claude: a run sets it itself; for a command line of your own, use --agent '${program} -p {prompt} …'`,
    )
  const spending = new ClaudeSpending()
  const permission = words.some((word) => permissionWords.has(word.split('=', 1)[0] ?? '')) ? [] : unattended
  return streamedDrive({
    description: {
      name: [program, ...words].join(' '),
      reportsUsage: true,
      reportsCost: true,
      prices: null,
      maxOutputTokens: 32_000,
      contextWindowTokens: 200_000,
    },
    tellsSteps: true,
    timeoutMs,
    startTurn(start) {
      spending.beginTurn(start.session === undefined)
      const session = start.session ?? sessionIdOf(start)
      const place = start.session === undefined ? ['--session-id', session] : ['--resume', session]
      return programTurn(
        {
          command: { words: [program, ...asked, ...place, ...permission, ...words] },
          folder,
          environment: options.environment ?? inheritedEnvironment(),
          stdin: start.prompt,
        },
        new ClaudeTranslator(spending),
        // Known before it says anything, so that it is recorded although it may be killed at once.
        [{ kind: 'session', id: session }],
      )
    },
  })
}

const asked = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'] as const

/** A UUID of the run and the place in it where the session begins. */
function sessionIdOf({ key }: TurnStart): string {
  const hex = createHash('sha256').update(`donecheck session ${key}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
