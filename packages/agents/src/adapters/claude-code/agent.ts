import { createHash } from 'node:crypto'
import {
  cliAgentKeys,
  streamedAgent,
  type CliAgentOptions,
  type TurnStart,
} from '../../protocol/stream/index.ts'
import { UsageError, assertKnownKeys, type OptionKeys } from '@donecheck/engine/internal/base'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/internal/system/process'
import { placesOf } from '../../session/index.ts'
import { InteractiveTurn } from './asking/interactive-turn.ts'
import { claudeCodeHooks } from './hooks.ts'
import { ClaudeSpending } from './spending.ts'
import { ClaudeTranslator } from './translate-stream.ts'

export interface ClaudeCodeAgentOptions extends CliAgentOptions {
  /** Defaults to `claude` on PATH. */
  readonly program?: string
}

const claudeCodeAgentKeys: OptionKeys<ClaudeCodeAgentOptions> = {
  ...cliAgentKeys,
  program: true,
}

const ours: ReadonlySet<string> = new Set([
  ...['-p', '--print', '--output-format', '--input-format', '--verbose', '--include-partial-messages'],
  ...['--session-id', '-r', '--resume', '-c', '--continue', '--fork-session', '--no-session-persistence'],
  ...['--bg', '--background', '--cloud', '--desktop'],
])

/** Edits files but runs only what its own settings allow. The user's arguments may allow more. */
const unattended = ['--permission-mode', 'acceptEdits'] as const
const permissionWords: ReadonlySet<string> = new Set(['--permission-mode', '--dangerously-skip-permissions'])

/** @throws {UsageError} for arguments that conflict with ours, or an invalid limit */
export function claudeCodeAgent(options: ClaudeCodeAgentOptions): Agent {
  assertKnownKeys(options, claudeCodeAgentKeys, 'claudeCodeAgent')
  const { folder, words = [], timeoutMs, program = 'claude' } = options
  const taken = words.find((word) => ours.has(word.split('=', 1)[0] ?? ''))
  if (taken !== undefined)
    throw new UsageError(
      `${taken} cannot be given to claude: a run sets it itself; for a command line of your own, use --agent '${program} -p {prompt} …'`,
    )
  if (words.includes('--bare'))
    throw new UsageError(
      '--bare cannot be given to claude: it runs no hooks, so that no call would be asked for; leave it out',
    )
  const ownPlaces = ownPlacesOf(options)
  const spending = new ClaudeSpending()
  const permission = words.some((word) => permissionWords.has(word.split('=', 1)[0] ?? '')) ? [] : unattended
  const agent = streamedAgent({
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
      spending.beginTurn()
      const session = start.session ?? sessionIdOf(start)
      const place = start.session === undefined ? ['--session-id', session] : ['--resume', session]
      // Recorded first, because it may be killed before it reports anything.
      const first = [{ kind: 'session' as const, id: session }]
      const asks = [...printing, ...asking, ...noShellInSkills(words)]
      return new InteractiveTurn({
        request: {
          command: { words: [program, ...asks, ...place, ...permission, ...words] },
          ...{ folder, environment: options.environment ?? inheritedEnvironment() },
        },
        ...{ prompt: start.prompt, translator: new ClaudeTranslator(spending), first, ownPlaces },
      })
    },
  })
  return { ...agent, own: { ...agent.own, untouched: ownPlaces } }
}

function ownPlacesOf({ folder, environment = inheritedEnvironment() }: ClaudeCodeAgentOptions) {
  const { HOME } = environment
  return [
    ...placesOf(claudeCodeHooks.ownSettings(environment), folder, HOME),
    '/etc/claude-code/managed-settings.json',
  ]
}

const printing = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'] as const
const asking = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'] as const

/** Shell lines in a loaded skill run without asking. User settings override this. */
function noShellInSkills(words: readonly string[]): readonly string[] {
  const hasOwn = words.some((word) => word === '--settings' || word.startsWith('--settings='))
  return hasOwn ? [] : ['--settings', '{"disableSkillShellExecution":true}']
}

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
