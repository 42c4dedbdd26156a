/** The agents that are known: the one list of them. Pure data. */

export interface KnownAgent {
  /** As it is typed, and kept in records. */
  readonly name: string
  /** As it may be typed as well. */
  readonly otherNames: readonly string[]
  /** For people. */
  readonly title: string
  /** As it is called where it is looked for on PATH. */
  readonly program: string
  /** donecheck can be installed into it. */
  readonly hasHooks: boolean
  /** `--agent` drives it by its name. */
  readonly driven?: {
    /** With such a word it is a command line of the user's own, which prints an answer: as any other program. */
    readonly ownWords: readonly string[]
    /** It may run calls that nobody was asked for, and its drive is told what becomes of such a turn. */
    readonly takesUnasked?: true
  }
  readonly acp?: AcpTraits
}

/** What the Agent Client Protocol leaves open, and does not say before a run. Measured with the versions that the tests name. */
interface AcpTraits {
  /** In the command that starts it. */
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
    driven: { ownWords: ['-p', '--print'], takesUnasked: true },
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
  },
  {
    name: 'copilot',
    ...{ otherNames: ['copilot-cli'], title: 'Copilot CLI', program: 'copilot', hasHooks: true },
  },
  {
    name: 'cursor',
    ...{ otherNames: [], title: 'Cursor', program: 'cursor-agent', hasHooks: true },
  },
] as const satisfies readonly KnownAgent[]

export type AgentName = (typeof rows)[number]['name']

/** In the order in which they are told. */
export const knownAgents: readonly (KnownAgent & { readonly name: AgentName })[] = rows

export const hookedAgentNames: readonly AgentName[] = knownAgents
  .filter(({ hasHooks }) => hasHooks)
  .map(({ name }) => name)

/** By any of its names. */
export function agentNamed(name: string): (typeof knownAgents)[number] | undefined {
  return knownAgents.find((agent) => namesOf(agent).includes(name))
}

/** All that may be typed for it. */
export function namesOf({ name, otherNames }: KnownAgent): readonly string[] {
  return [name, ...otherNames]
}

/** @param line the command that starts an agent of the Agent Client Protocol */
export function acpTraitsOf(line: string): Omit<AcpTraits, 'line'> {
  const known = knownAgents.find(({ acp }) => acp?.line.test(line) === true)?.acp
  return known ?? { tells: { ofTurn: false, ofSteps: false, cost: false } }
}
