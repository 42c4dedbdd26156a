/** The agents that `--agent` knows by name, each with an adapter that is loaded when it is asked for. */
import { findAgents, findProgram, knownAgents, type FoundAgent } from '../agents/index.ts'
import { UsageError } from '../errors.ts'
import type { Drive } from '../ports.ts'
import { wordsOfLine } from './agent-words.ts'

export interface AgentDriveOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly words: readonly string[]
  readonly timeoutMs: number | null
  /** What becomes of a turn whose calls are not asked for, by an agent that could ask. Default: `watched`. */
  readonly unasked?: 'watched' | 'refused'
}

/** An agent that is known by name, and the words that are for it. */
export interface NamedAgent {
  readonly name: AgentName
  readonly words: readonly string[]
}

type AgentName = 'claude' | 'codex' | 'gemini' | 'opencode' | 'acp'

type Adapter = (
  options: Omit<AgentDriveOptions, 'unasked'>,
  unasked: AgentDriveOptions['unasked'],
) => Promise<Drive>

const adapters: Readonly<Record<AgentName, Adapter>> = {
  claude: async (options, unasked) =>
    (await import('../adapters/claude-code/index.ts')).claudeCodeDrive({
      ...options,
      ...(unasked === undefined ? {} : { unasked }),
    }),
  codex: async (options) => (await import('../adapters/codex/index.ts')).codexDrive(options),
  gemini: async (options) => (await import('../adapters/gemini/index.ts')).geminiDrive(options),
  opencode: async (options) => (await import('../adapters/opencode/index.ts')).opencodeDrive(options),
  acp: async (options) => (await import('../adapters/acp/index.ts')).acpDrive(options),
}

/** With such a word it is a command line of the user's own, which prints an answer: as any other program. */
const ownLines: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['-p', '--print'],
  codex: [],
  gemini: ['-p', '--prompt', '-i', '--prompt-interactive'],
  opencode: ['run'],
  acp: [],
}

/**
 * `claude`, `codex`, `gemini` or `opencode` with further words, or `acp:` and the command of an agent that speaks the Agent
 * Client Protocol. Undefined: a command line of the user's own.
 * @throws {UsageError} for `acp:` without a command that could be run
 */
export function namedAgent(line: string): NamedAgent | undefined {
  if (line.startsWith('acp:')) return { name: 'acp', words: wordsOfProtocol(line) }
  const [name, ...words] = wordsOfLine(line) ?? []
  if (!isNamed(name) || words.some((word) => word.includes('{prompt}') || ownLines[name].includes(word)))
    return undefined
  return { name, words }
}

function isNamed(word: string | undefined): word is Exclude<AgentName, 'acp'> {
  return word !== undefined && word !== 'acp' && Object.hasOwn(adapters, word)
}

function wordsOfProtocol(line: string): readonly string[] {
  const words = wordsOfLine(line.slice('acp:'.length))
  if (words !== undefined && words.length > 0) return words
  throw new UsageError(
    `--agent "${line}": after acp: stands a program with its words, such as acp:claude-agent-acp or "acp:gemini --acp"; no other shell syntax`,
  )
}

/**
 * The drive of an agent that is installed, under a name that says which it is.
 * @throws {UsageError} where it is not installed, naming those that are
 */
export async function namedAgentDrive(
  { name, words }: NamedAgent,
  { unasked, ...options }: AgentDriveOptions,
): Promise<Drive> {
  const found = await foundHere({ name, words }, options.environment)
  const drive = await adapters[name]({ ...options, words }, unasked)
  const { own } = drive
  return {
    description: { ...drive.description, name: `${found} (${[name, ...words].join(' ')})` },
    next: (request, signal) => drive.next(request, signal),
    ...(own === undefined ? {} : { own }),
    ...(drive.close === undefined ? {} : { close: async () => drive.close?.() }),
  }
}

/** Such as `Claude Code 2.1.330`. */
async function foundHere(
  { name, words }: NamedAgent,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  if (name === 'acp') {
    const [program = ''] = words
    if ((await findProgram(program, environment)) === undefined)
      throw await notInstalled(program, `the program "${program}" was not found`, environment)
    return 'Agent Client Protocol'
  }
  const [found] = await findAgents({ environment, names: [name] })
  if (found !== undefined) return titled(found)
  const title = knownAgents.find((agent) => agent.name === name)?.title ?? name
  throw await notInstalled(name, `${title} is not installed (no program "${name}" on PATH)`, environment)
}

async function notInstalled(
  wanted: string,
  problem: string,
  environment: Readonly<Record<string, string>>,
): Promise<UsageError> {
  return new UsageError(`${problem}; found here: ${await foundAgents(environment, wanted)}`)
}

/** What is installed of the agents that are known, such as `claude 2.1.330, codex 0.169.0`. */
export async function foundAgents(
  environment: Readonly<Record<string, string>>,
  besides?: string,
): Promise<string> {
  const found = (await findAgents({ environment })).filter(({ name }) => name !== besides)
  if (found.length > 0) return found.map(shortly).join(', ')
  return besides === undefined ? 'no agent that is known' : 'no other agent that is known'
}

function shortly({ name, version }: FoundAgent): string {
  return version === undefined ? name : `${name} ${version}`
}

function titled({ title, version }: FoundAgent): string {
  return version === undefined ? title : `${title} ${version}`
}
