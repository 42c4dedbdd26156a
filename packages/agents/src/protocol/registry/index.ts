import { findProgram, inheritedEnvironment, runProcess } from '@donecheck/engine/internal/system/process'

export interface KnownAgent {
  readonly name: string
  readonly otherNames: readonly string[]
  readonly title: string
  readonly program: string
  readonly hasHooks: boolean
  readonly driven?: {
    /** Any of these arguments makes it an ordinary program that prints an answer. */
    readonly ownWords: readonly string[]
  }
  readonly acp?: AcpTraits
}

interface AcpTraits {
  readonly line: RegExp
  readonly tells: TellsUsage
  /** The user's environment wins. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface TellsUsage {
  /** The usage arrives only at the end of the turn. */
  readonly ofTurn: boolean
  /** The context size arrives after every reply, so token caps can end a running turn. */
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
      // By default its own model approves requests; in this mode it asks us before it leaves its sandbox.
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
    // It reports only the last reply's usage, so token caps cannot work; its cost is complete.
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

/** @param line the command that starts an ACP agent */
export function acpTraitsOf(line: string): Omit<AcpTraits, 'line'> {
  const known = knownAgents.find(({ acp }) => acp?.line.test(line) === true)?.acp
  return known ?? { tells: { ofTurn: false, ofSteps: false, cost: false } }
}

export interface FoundAgent extends Pick<KnownAgent, 'name' | 'title' | 'program'> {
  readonly path: string
  /** Such as `2.1.330`; undefined if it does not report it in time. */
  readonly version: string | undefined
}

interface FindOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly names?: readonly string[]
  /** Timeout for the version. Default 5 s. */
  readonly timeoutMs?: number
}

const usualTimeoutMs = 5000

/** Finds known agents on PATH and their versions. Never rejects. */
export async function findAgents(options: FindOptions = {}): Promise<readonly FoundAgent[]> {
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
