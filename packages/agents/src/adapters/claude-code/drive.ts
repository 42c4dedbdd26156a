/** Claude Code as an outer loop: one process a turn, every turn in the same session, and the checks outside of both. */
import { createHash } from 'node:crypto'
import {
  cliDriveKeys,
  programTurn,
  streamedDrive,
  type AgentSignal,
  type CliDriveOptions,
  type TurnStart,
} from '../../protocol/stream/index.ts'
import { UsageError, assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'
import type { Drive } from '@donecheck/engine/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { placesOf } from '../../session/index.ts'
import { askingTurn } from './asking/interactive-turn.ts'
import { claudeCodeHooks } from './hooks.ts'
import { ClaudeSpending } from './spending.ts'
import { ClaudeTranslator } from './translate-stream.ts'
import { notAsked } from './asking/unprompted-calls.ts'

export interface ClaudeCodeDriveOptions extends CliDriveOptions {
  /** What becomes of a turn whose calls are not asked for, as an older version runs them. Default: `watched`. */
  readonly unasked?: 'watched' | 'refused'
  /** Default: `claude` on PATH. */
  readonly program?: string
}

const claudeCodeDriveKeys: OptionKeys<ClaudeCodeDriveOptions> = {
  ...cliDriveKeys,
  unasked: true,
  program: true,
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
  assertKnownKeys(options, claudeCodeDriveKeys, 'claudeCodeDrive')
  const { folder, words = [], timeoutMs, program = 'claude', unasked = 'watched' } = options
  const taken = words.find((word) => ours.has(word.split('=', 1)[0] ?? ''))
  if (taken !== undefined)
    throw new UsageError(
      `${taken} cannot be given to claude: a run sets it itself; for a command line of your own, use --agent '${program} -p {prompt} …'`,
    )
  const deafening = words.find((word) => deaf.has(word))
  if (deafening !== undefined && unasked === 'refused')
    throw new UsageError(
      `${deafening} runs no hooks, so that no call of claude would be asked for: leave it out, or choose an --approval that does not ask for everything`,
    )
  const ownPlaces = ownPlacesOf(options)
  const spending = new ClaudeSpending()
  const permission = words.some((word) => permissionWords.has(word.split('=', 1)[0] ?? '')) ? [] : unattended
  const drive = streamedDrive({
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
      const environment = options.environment ?? inheritedEnvironment()
      const requestWith = (asks: readonly string[]) => ({
        command: { words: [program, ...asks, ...place, ...permission, ...words] as const },
        ...{ folder, environment },
      })
      // Known before it says anything, so that it is recorded although it may be killed at once.
      const first = [{ kind: 'session' as const, id: session }]
      const translator = new ClaudeTranslator(spending)
      const watchProgram = (reported: readonly AgentSignal[]) =>
        programTurn({ ...requestWith(printed), stdin: start.prompt }, translator, reported)
      if (deafening !== undefined) return watchProgram([...first, notAsked(`it was given ${deafening}`)])
      return askingTurn({
        request: requestWith([...printed, ...answering, ...noShellInSkills(words)]),
        ...{ prompt: start.prompt, translator, first, ownPlaces },
        otherwise: unasked === 'watched' ? () => watchProgram(first) : undefined,
      })
    },
  })
  return deafening === undefined ? { ...drive, own: { ...drive.own, untouched: ownPlaces } } : drive
}

/** By these it may be told not to ask, or to run something else than it has asked for. */
function ownPlacesOf({ folder, environment = inheritedEnvironment() }: ClaudeCodeDriveOptions) {
  const { HOME } = environment
  return [
    ...placesOf(claudeCodeHooks.ownSettings(environment), folder, HOME),
    '/etc/claude-code/managed-settings.json',
  ]
}

const answering = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'] as const
/** Lines of shell in a skill run while it is loaded, and no hook asks for them. Settings of the user's own take the place of these. */
function noShellInSkills(words: readonly string[]): readonly string[] {
  const hasOwn = words.some((word) => word === '--settings' || word.startsWith('--settings='))
  return hasOwn ? [] : ['--settings', '{"disableSkillShellExecution":true}']
}

/** With such a word no hook runs, and so nothing would ask us. */
const deaf: ReadonlySet<string> = new Set(['--bare'])
const printed = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'] as const

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
