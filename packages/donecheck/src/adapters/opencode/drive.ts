/** opencode as an outer loop: one `opencode run` per turn, always in the same session. */
import { programTurn, streamedDrive, type AgentTurn, type TurnStart } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import type { Drive } from '../../ports.ts'
import { inheritedEnvironment } from '../../process/index.ts'
import { endsAfterStep } from './steps.ts'
import { opencodeTranslator } from './translate-stream.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

export interface OpencodeDriveOptions {
  readonly folder: string
  /** All of the agent's environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** For `opencode run`, such as `-m`, `anthropic/claude-sonnet-4-5`. */
  readonly words?: readonly string[]
  /** Of one turn. Null: no bound; opencode asks a model that does not answer again and again. */
  readonly timeoutMs: number | null
}

const opencodeDriveKeys: OptionKeys<OpencodeDriveOptions> = {
  folder: 'needed',
  environment: true,
  words: true,
  timeoutMs: 'needed',
}

/**
 * What it asks for it is refused, as nobody is there: what it may do without asking stands in its own configuration, and the word
 * `--auto` allows all the rest.
 * @throws {UsageError} for words that would take the turn out of our hands
 */
export function opencodeDrive(options: OpencodeDriveOptions): Drive {
  assertKnownKeys(options, opencodeDriveKeys, 'opencodeDrive')
  const { words = [], timeoutMs } = options
  refuseWords(words)
  return streamedDrive({
    description: {
      name: ['opencode', ...words].join(' '),
      reportsUsage: true,
      reportsCost: true,
      prices: null,
      maxOutputTokens: 32_000,
      contextWindowTokens: 200_000,
    },
    tellsSteps: true,
    timeoutMs,
    startTurn: (start) => startTurn(start, options),
  })
}

function startTurn(
  { prompt, session }: TurnStart,
  { folder, words = [], ...options }: OpencodeDriveOptions,
): AgentTurn {
  const inSession = session === undefined ? [] : ['--session', session]
  const turn = programTurn(
    {
      command: { words: ['opencode', 'run', '--format', 'json', ...inSession, ...words] },
      folder,
      // It believes this variable more than the folder that it is started in.
      environment: { ...(options.environment ?? inheritedEnvironment()), PWD: folder },
      // As an argument it would be put into quotes, which the model sees.
      stdin: prompt,
    },
    opencodeTranslator(),
  )
  return { ...turn, signals: endsAfterStep(turn.signals) }
}

/** Each with what would be wrong with it. */
const refused: Readonly<Record<string, string>> = {
  '--format': 'the form of the output is chosen here',
  '--session': 'the session is chosen here',
  '-s': 'the session is chosen here',
  '--continue': 'the session is chosen here',
  '-c': 'the session is chosen here',
  '--fork': 'the session is chosen here',
  '--attach': 'a turn in another server cannot be ended from here',
  '--interactive': 'nobody is there to talk to it',
  '-i': 'nobody is there to talk to it',
}

function refuseWords(words: readonly string[]): void {
  for (const word of words) {
    const why = refused[word.split('=')[0] ?? word]
    if (why !== undefined) throw new UsageError(`opencode cannot be given ${word}: ${why}; leave it out`)
  }
}
