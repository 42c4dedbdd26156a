import {
  agentNamed,
  findAgents,
  type AgentName,
  type FoundAgent,
  type KnownAgent,
  hookedAgentNames,
  knownAgents,
  namesOf,
} from '@donecheck/agents/internal/protocol/registry'
import { given, UsageError } from '@donecheck/engine/internal/base'
import { findProgram } from '@donecheck/engine/internal/system/process'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import type { CliAgentOptions } from '@donecheck/agents/internal/protocol/stream'
import type { HookProtocol } from '@donecheck/agents/internal/protocol/hooks'
import type { HookSettings, SettingsCompanion } from '@donecheck/agents/internal/protocol/settings'
import { nearest } from '@donecheck/core/internal/base'

interface NamedAgent {
  readonly name: AgentName | 'acp'
  readonly words: readonly string[]
}

/** Finds the agent that `--agent` names; undefined for a command. @throws {UsageError} for a bare `acp:` */
export function namedAgent(line: string): NamedAgent | undefined {
  if (line.startsWith('acp:')) return { name: 'acp', words: wordsOfProtocol(line) }
  const [typed = '', ...words] = wordsOfLine(line) ?? []
  const { name, driven } = agentNamed(typed) ?? {}
  const isOwn = words.some((word) => word.includes('{prompt}') || driven?.ownWords.includes(word) === true)
  return name === undefined || driven === undefined || isOwn ? undefined : { name, words }
}

function wordsOfProtocol(line: string): readonly string[] {
  const words = wordsOfLine(line.slice('acp:'.length))
  if (words !== undefined && words.length > 0) return words
  throw new UsageError(
    `--agent "${line}": after acp: stands a program with its words, such as acp:claude-agent-acp or "acp:gemini --acp"; no other shell syntax`,
  )
}

/** @throws {UsageError} if the agent is not installed, listing those that are */
export async function createNamedAgent(
  { name, words }: NamedAgent,
  options: CliAgentOptions & StartContext,
): Promise<Agent> {
  const known = name === 'acp' ? undefined : agentNamed(name)
  const found = await foundHere(known, words, options.environment)
  const agent =
    known === undefined
      ? (await import('@donecheck/agents/acp')).acpAgent({ ...options, words })
      : await agentOf(known.name, { ...options, words })
  const { own } = agent
  return {
    description: {
      ...agent.description,
      name: `${found} (${[known?.program ?? 'acp', ...words].join(' ')})`,
    },
    next: (request, signal) => agent.next(request, signal),
    ...given({ own }),
    ...(agent.close === undefined ? {} : { close: async () => agent.close?.() }),
  }
}

interface StartContext {
  readonly environment: Readonly<Record<string, string>>
}

async function foundHere(
  known: KnownAgent | undefined,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  if (known === undefined) {
    const [program = ''] = words
    if (findProgram(program, environment) === undefined)
      throw await notInstalled(program, `the program "${program}" was not found`, environment)
    return 'Agent Client Protocol'
  }
  const { name, title, program } = known
  const [found] = await findAgents({ environment, names: [name] })
  if (found !== undefined) return withVersion(found.title, found)
  throw await notInstalled(name, `${title} is not installed (no program "${program}" on PATH)`, environment)
}

async function notInstalled(
  wanted: string,
  problem: string,
  environment: Readonly<Record<string, string>>,
): Promise<UsageError> {
  return new UsageError(`${problem}; found here: ${await searchAgents(environment, wanted)}`)
}

export async function searchAgents(
  environment: Readonly<Record<string, string>>,
  besides?: string,
): Promise<string> {
  const found = (await findAgents({ environment })).filter(({ name }) => name !== besides)
  if (found.length > 0) return found.map((agent) => withVersion(agent.name, agent)).join(', ')
  return besides === undefined ? 'no known agent' : 'no other known agent'
}

export function withVersion(name: string, { version }: FoundAgent): string {
  return version === undefined ? name : `${name} ${version}`
}

const shellSyntax = /[|&;<>()$`\n*?[\]{}~#!]/

const token = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\s+)|([^\\'"\s]+)|./gs

/** Splits a simple command line. @returns undefined if only a shell can read it */
export function wordsOfLine(line: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [, single, double, escaped, space, plain] of line.matchAll(token)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const text =
      single ?? (double === undefined ? undefined : literalText(double)) ?? escaped ?? simple(plain)
    if (text === undefined) return undefined
    word = (word ?? '') + text
  }
  if (word !== undefined) words.push(word)
  return words.length === 0 || words[0]?.includes('=') === true ? undefined : words
}

/** @returns undefined if the shell would expand it */
function literalText(text: string): string | undefined {
  return /(?<!\\)[$`]/.test(text) ? undefined : text.replace(/\\(["\\$`])/g, '$1')
}

function simple(text: string | undefined): string | undefined {
  return text === undefined || shellSyntax.test(text) ? undefined : text
}

interface AgentAdapter {
  readonly agent?: (options: CliAgentOptions) => Agent
  readonly protocol?: HookProtocol
  readonly settings?: HookSettings
  readonly companion?: SettingsCompanion
}

const adapters: Readonly<Record<AgentName, () => Promise<AgentAdapter>>> = {
  'claude-code': async () => {
    const adapter = await import('@donecheck/agents/claude-code')
    const { claudeCodeAgent: agent, claudeCodeHooks: protocol, claudeCodeSettings: settings } = adapter
    return { agent, protocol, settings }
  },
  codex: async () => {
    const adapter = await import('@donecheck/agents/codex')
    const { codexAgent: agent, codexHooks: protocol, codexSettings: settings, codexTrust } = adapter
    return { agent, protocol, settings, companion: codexTrust }
  },
  gemini: async () => {
    const adapter = await import('@donecheck/agents/internal/adapters/gemini')
    const { geminiAgent: agent, geminiHooks: protocol, geminiSettings: settings } = adapter
    return { agent, protocol, settings }
  },
  opencode: async () => ({
    agent: (await import('@donecheck/agents/internal/adapters/opencode')).opencodeAgent,
  }),
  qwen: async () => {
    const adapter = await import('@donecheck/agents/internal/adapters/qwen')
    return { agent: adapter.qwenAgent, protocol: adapter.qwenHooks, settings: adapter.qwenSettings }
  },
  copilot: async () => {
    const adapter = await import('@donecheck/agents/internal/adapters/copilot')
    const { copilotAgent: agent, copilotHooks: protocol, copilotSettings: settings } = adapter
    return { agent, protocol, settings }
  },
  cursor: async () => {
    const { cursorHooks: protocol, cursorSettings: settings } =
      await import('@donecheck/agents/internal/adapters/cursor')
    return { protocol, settings }
  },
}

export interface HookedAgent {
  readonly protocol: HookProtocol
  readonly settings: HookSettings
  readonly companion?: SettingsCompanion
  readonly program: string
}

/** @throws {UsageError} for an agent without known hooks */
export async function loadHookedAgent(name: string): Promise<HookedAgent> {
  const known = agentNamed(name)
  const { protocol, settings, companion } = known === undefined ? {} : await adapters[known.name]()
  if (known !== undefined && protocol !== undefined && settings !== undefined)
    return { protocol, settings, program: known.program, ...given({ companion }) }
  const meant = nearest(
    name,
    knownAgents.filter(({ hasHooks }) => hasHooks).flatMap((agent) => namesOf(agent)),
  )
  throw new UsageError(
    `there are no hooks for "${name}"${meant === undefined ? '.' : `; did you mean "${meant}"?`} They can be installed into ${hookedAgentNames.join(', ')}; any other agent can be run with donecheck run --agent`,
  )
}

export async function agentOf(name: AgentName, options: CliAgentOptions): Promise<Agent> {
  const { agent } = await adapters[name]()
  if (agent === undefined) throw new TypeError(`${name} is not driven`)
  return agent(options)
}
