/** An agent of the command line as an outer loop: one process per turn, always in the same session. */
import { UsageError, assertKnownKeys, optionKeys } from '@donecheck/engine/base'
import type { Drive } from '@donecheck/engine/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/process'
import type { AgentSignal, AgentTurn, TurnStart } from './agent-signal.ts'
import { programTurn, type LineTranslator } from './program-turn.ts'
import { type StreamedDriveOptions, streamedDrive } from './streamed-drive.ts'

export interface CliDriveOptions {
  readonly folder: string
  /** All of the agent's environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** Further words of its command line, such as `-m`, `some-model`: they win over ours. */
  readonly words?: readonly string[]
  /** Of one turn. Null: no bound; some agents ask a model that does not answer again and again. */
  readonly timeoutMs: number | null
  /** Command lines of the run's own checks: an agent that decides by itself is told to run them without a question. */
  readonly ownChecks?: readonly string[]
}

export const cliDriveKeys = optionKeys<CliDriveOptions>()('folder! environment words timeoutMs! ownChecks')

/** What differs from agent to agent. */
interface CliAgent {
  readonly program: string
  readonly description: Omit<StreamedDriveOptions['description'], 'name' | 'reportsUsage' | 'prices'>
  /** Words that would take the turn out of our hands, each with what would be wrong with it. */
  readonly refused: Readonly<Record<string, string>>
  /** All words behind the program. @param words the user's */
  wordsOf(
    session: string | undefined,
    words: readonly string[],
    options: Pick<CliDriveOptions, 'folder' | 'ownChecks'>,
  ): readonly string[]
  /** What stands on its standard input. Default: the prompt. */
  inputOf?(start: TurnStart): string
  /** Made anew for every turn. */
  translator(): LineTranslator
  /** Puts the signals of a turn into the order that all agents have: a step behind the calls of each reply. */
  inOrder(
    signals: AsyncIterable<AgentSignal>,
    environment: Readonly<Record<string, string>>,
  ): AsyncIterable<AgentSignal>
}

/** What it gives throws a `UsageError` for words that would take the turn out of our hands, and a bound that can never work. */
export function cliDrive(agent: CliAgent): (options: CliDriveOptions) => Drive {
  const { program, description, refused } = agent
  return (options) => {
    assertKnownKeys(options, cliDriveKeys, `${program}Drive`)
    const { words = [], timeoutMs } = options
    for (const word of words) {
      const why = refused[flagOf(word)]
      if (why !== undefined) throw new UsageError(`${program} cannot be given ${word}: ${why}; leave it out`)
    }
    return streamedDrive({
      description: {
        name: [program, ...words].join(' '),
        ...{ reportsUsage: true, prices: null, ...description },
      },
      tellsSteps: true,
      timeoutMs,
      startTurn: (start) => startTurn(agent, start, options),
    })
  }
}

function startTurn(
  agent: CliAgent,
  start: TurnStart,
  { folder, words = [], ...more }: CliDriveOptions,
): AgentTurn {
  // Some believe this variable more than the folder that they are started in.
  const environment = { ...(more.environment ?? inheritedEnvironment()), PWD: folder }
  const turn = programTurn(
    {
      command: { words: [agent.program, ...agent.wordsOf(start.session, words, { folder, ...more })] },
      ...{ folder, environment },
      // As an argument it would be cut off, or put into quotes that the model sees.
      stdin: agent.inputOf?.(start) ?? start.prompt,
    },
    agent.translator(),
  )
  return { ...turn, signals: agent.inOrder(turn.signals, environment) }
}

/** The flag of a word that may hold its value too. */
function flagOf(word: string): string {
  return word.split('=', 1)[0] ?? word
}
