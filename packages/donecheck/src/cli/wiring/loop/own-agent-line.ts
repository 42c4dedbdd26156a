/** A command line of the user's own after `--agent`: what is to be said of it before anything is run. */
import { basename } from 'node:path'
import { knownAgents, namesOf } from '@donecheck/agents/registry'
import { findProgram } from '@donecheck/engine/process'
import { nearest } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import { searchAgents } from '../../agents/agents.ts'
import { wordsOfLine } from '../../agents/agent-words.ts'

const driven = knownAgents.filter((agent) => agent.driven !== undefined)

/** A name with assignments of variables before it, or at the end of a path. */
const firstProgram = /^(?:\s*\w+=\S*)*\s*["']?(?<program>[^\s"';|&<>()]+)/

/**
 * What to tell where an agent that has an adapter is run without it; undefined: nothing is lost.
 * Such a line may be meant: it stays what the user wrote.
 */
export function noticeOfOwnLine(line: string): string | undefined {
  const program = basename(firstProgram.exec(line)?.groups?.['program'] ?? '')
  const name = driven.find((known) => known.program === program)?.name
  if (name === undefined) return undefined
  return `--agent ${JSON.stringify(line)} is run as a program of your own, anew for each turn: its calls, tokens and session are not seen. With --agent ${name}, and nothing but its flags behind it, they are`
}

/** What a POSIX shell, or bash, does itself. */
const shellWords = new Set(['.', ':', 'builtin', 'command', 'eval', 'exec', 'source', 'time'])

/** @throws {UsageError} where there is no such program; a path is left to whoever runs it, from the work folder */
export async function refuseUnknownProgram(
  line: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const [program = '/'] = wordsOfLine(line.replaceAll('{prompt}', 'prompt')) ?? []
  if (program.includes('/') || shellWords.has(program)) return
  if (findProgram(program, environment) !== undefined) return
  const near = nearestAgent(program)
  throw new UsageError(
    `--agent ${JSON.stringify(line)}: there is no program "${program}" on PATH${near === undefined ? '.' : `; did you mean "${near}"?`} Found here: ${await searchAgents(environment)}`,
  )
}

/** The agent that is driven by a name like this one. */
export function nearestAgent(word: string): string | undefined {
  return nearest(
    word,
    driven.flatMap((agent) => namesOf(agent)),
  )
}
