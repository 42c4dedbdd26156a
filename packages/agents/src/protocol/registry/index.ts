import { findProgram, inheritedEnvironment, runProcess } from '@donecheck/engine/internal/system/process'
import { assertKnownKeys, optionKeys } from '@donecheck/engine/internal/base'

export interface KnownAgent {
  readonly name: string
  readonly otherNames: readonly string[]
  readonly title: string
  readonly program: string
  readonly hasHooks: boolean
  readonly driven?: {
    /** With such a word it is a command line of the user's own, which prints an answer: as any other program. */
    readonly ownWords: readonly string[]
  }
  readonly acp?: AcpTraits
}

interface AcpTraits {
  readonly line: RegExp
  readonly tells: TellsUsage
  /** What the user has set wins. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface TellsUsage {
  /** The whole usage of a turn comes with its end. */
  readonly ofTurn: boolean
  /** The size of the context comes after every reply of the model: caps on tokens can end a turn in flight. */
  readonly ofSteps: boolean
  readonly cost: boolean
}

const rows = [
  {
    name: 'claude-code',
    ...{ otherNames: ['claude'], title: 'Claude Code', program: 'claude', hasHooks: true },
    driven: { ownWords: ['-p', '--print'] },
    acp: {
      line: /\bclaude(-code|-agent)?-acp\b/u,
      tells: { ofTurn: true, ofSteps: true, cost: true },
    },
  },
  {
    name: 'codex',
    ...{ otherNames: [], title: 'Codex', program: 'codex', hasHooks: true },
    driven: { ownWords: [] },
    acp: {
      line: /\bcodex-acp\b/u,
      tells: { ofTurn: true, ofSteps: true, cost: false },
      // Unless it is told another mode, a model of its own answers its requests; in this one it asks us, for all that leaves its sandbox.
      environment: { INITIAL_AGENT_MODE: 'workspace-write' },
    },
  },
  {
    name: 'gemini',
    ...{ otherNames: ['gemini-cli'], title: 'Gemini CLI', program: 'gemini', hasHooks: true },
    driven: { ownWords: ['-p', '--prompt', '-i', '--prompt-interactive'] },
    acp: { line: /\bgemini\b/u, tells: { ofTurn: true, ofSteps: false, cost: false } },
  },
  {
    name: 'opencode',
    ...{ otherNames: [], title: 'opencode', program: 'opencode', hasHooks: false },
    driven: { ownWords: ['run'] },
    // Its usage is that of the last reply alone, so no cap on tokens could be kept; its cost is whole.
    acp: { line: /\bopencode\b/u, tells: { ofTurn: false, ofSteps: false, cost: true } },
  },
  {
    name: 'qwen',
    ...{ otherNames: ['qwen-code'], title: 'Qwen Code', program: 'qwen', hasHooks: true },
    driven: { ownWords: ['-p', '--prompt', '-i', '--prompt-interactive'] },
    acp: { line: /\bqwen\b/u, tells: { ofTurn: false, ofSteps: false, cost: false } },
  },
  {
    name: 'copilot',
    ...{ otherNames: ['copilot-cli'], title: 'Copilot CLI', program: 'copilot', hasHooks: true },
    driven: { ownWords: ['-p', '--prompt', '-i', '--interactive'] },
    acp: { line: /\bcopilot\b/u, tells: { ofTurn: true, ofSteps: false, cost: false } },
  },
  {
    name: 'cursor',
    ...{ otherNames: [], title: 'Cursor', program: 'cursor-agent', hasHooks: true },
  },
] as const satisfies readonly KnownAgent[]

export type AgentName = (typeof rows)[number]['name']

export const knownAgents: readonly (KnownAgent & { readonly name: AgentName })[] = rows

export const hookedAgentNames: readonly AgentName[] = knownAgents
  .filter(({ hasHooks }) => hasHooks)
  .map(({ name }) => name)

export function agentNamed(name: string): (typeof knownAgents)[number] | undefined {
  return knownAgents.find((agent) => namesOf(agent).includes(name))
}

export function namesOf({ name, otherNames }: KnownAgent): readonly string[] {
  return [name, ...otherNames]
}

/** @param line the command that starts an agent of the Agent Client Protocol */
export function acpTraitsOf(line: string): Omit<AcpTraits, 'line'> {
  const known = knownAgents.find(({ acp }) => acp?.line.test(line) === true)?.acp
  return known ?? { tells: { ofTurn: false, ofSteps: false, cost: false } }
}

export interface FoundAgent extends Pick<KnownAgent, 'name' | 'title' | 'program'> {
  readonly path: string
  /** Such as `2.1.330`; undefined: it does not say, or not in time. */
  readonly version: string | undefined
}

interface FindOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly names?: readonly string[]
  /** How long a program may take to tell its version. Default 5 s. */
  readonly timeoutMs?: number
}

const findKeys = optionKeys<FindOptions>()('environment names timeoutMs')

const usualTimeoutMs = 5000

/** What stands on PATH of the agents that are known, each asked for its version. Never rejects. */
export async function findAgents(options: FindOptions = {}): Promise<readonly FoundAgent[]> {
  assertKnownKeys(options, findKeys, 'findAgents')
  const { names } = options
  const wanted = knownAgents.filter(
    (agent) => names === undefined || namesOf(agent).some((name) => names.includes(name)),
  )
  const found = await Promise.all(wanted.map((agent) => find(agent, options)))
  return found.filter((agent) => agent !== undefined)
}

async function find(
  { name, title, program }: KnownAgent,
  options: FindOptions,
): Promise<FoundAgent | undefined> {
  const { environment = process.env, timeoutMs = usualTimeoutMs } = options
  const path = findProgram(program, environment)
  return path === undefined
    ? undefined
    : { name, title, program, path, version: await readVersion(path, environment, timeoutMs) }
}

async function readVersion(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<string | undefined> {
  const { end, stdout } = await runProcess({
    command: { words: [path, '--version'] },
    folder: '/',
    environment: inheritedEnvironment(environment),
    timeoutMs,
    signal: new AbortController().signal,
    headBytes: 4096,
    tailBytes: 0,
    keepBytes: 0,
  })
  return end.kind === 'exited' && end.exitCode === 0 ? versionIn(stdout.head) : undefined
}

export function versionIn(text: string): string | undefined {
  return /(?<![\w.])v?(\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)/.exec(text)?.[1]
}
