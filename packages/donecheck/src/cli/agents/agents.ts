import { agentNamed, findAgents, type AgentName, type FoundAgent, type KnownAgent } from '@donecheck/agents/registry'
import { given, UsageError } from '@donecheck/engine/base'
import { findProgram } from '@donecheck/engine/process'
import type { Drive } from '@donecheck/engine/ports/loop'
import type { CliDriveOptions } from '@donecheck/agents/stream'
import { driveOf } from './agent-adapters.ts'

interface NamedAgent {
  readonly name: AgentName | 'acp'
  readonly words: readonly string[]
}

/**
 * Finds the agent that `--agent` names, or `acp:` and a command. @returns undefined for a command line of the user's own
 * @throws {UsageError} if no program follows `acp:`
 */
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
export async function namedAgentDrive(
  { name, words }: NamedAgent,
  options: CliDriveOptions & StartContext,
): Promise<Drive> {
  const known = name === 'acp' ? undefined : agentNamed(name)
  const found = await foundHere(known, words, options.environment)
  const drive =
    known === undefined
      ? (await import('@donecheck/agents/acp')).acpDrive({ ...options, words })
      : await driveOf(known.name, { ...options, words })
  const { own } = drive
  return {
    description: {
      ...drive.description,
      name: `${found} (${[known?.program ?? 'acp', ...words].join(' ')})`,
    },
    next: (request, signal) => drive.next(request, signal),
    ...given({ own }),
    ...(drive.close === undefined ? {} : { close: async () => drive.close?.() }),
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

/** Such as `claude 2.1.330, codex 0.169.0`. */
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
