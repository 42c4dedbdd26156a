import {
  commandWords,
  type CommandWords,
  type FoundCommand,
  isSteady,
  mayBecome,
  subcommand,
} from '../../../analysis/shell/index.ts'
import { commandRules } from './rules.ts'
import { ownCommands } from './own-commands.ts'
import type { BuiltInRule, CommandLocation } from './file-location.ts'

/** Without what they know about paths and full lines. */
export const builtInRules: readonly BuiltInRule[] = [...commandRules, ...ownCommands]

export interface BuiltInMatch {
  readonly rule: BuiltInRule
  /** Program, subcommand, and the arguments if they are the danger. */
  readonly wordIndexes: readonly number[]
}

interface BuiltInAnswer {
  readonly matches: readonly BuiltInMatch[]
  /** Rules that would match other values of run-time words. */
  readonly possible: readonly BuiltInRule[]
}

const nothing: BuiltInAnswer = { matches: [], possible: [] }

export function matchBuiltInRules(found: FoundCommand, place: CommandLocation): BuiltInAnswer {
  const command = commandWords(found)
  const { program } = command
  if (program === null) return nothing
  const isDynamic = !found.words.every(isSteady)
  const matches: BuiltInMatch[] = []
  const possible: BuiltInRule[] = []
  for (const rule of rulesFor(program)) {
    const wordIndexes = matchedWords(rule, command, place)
    if (wordIndexes !== undefined) matches.push({ rule, wordIndexes })
    else if (isDynamic && rule.onlyLiteral !== true && isPossible(rule, command)) possible.push(rule)
  }
  return { matches, possible }
}

const byProgram = new Map<string, BuiltInRule[]>()
const byBeginning: (readonly [string, BuiltInRule])[] = []
for (const rule of builtInRules)
  for (const program of rule.programs) {
    if (program.endsWith('*')) byBeginning.push([program.slice(0, -1), rule])
    else byProgram.set(program, [...(byProgram.get(program) ?? []), rule])
  }

function rulesFor(program: string): readonly BuiltInRule[] {
  const begun = byBeginning.filter(([beginning]) => program.startsWith(beginning)).map(([, rule]) => rule)
  const exact = byProgram.get(program) ?? []
  return begun.length === 0 ? exact : [...exact, ...begun]
}

function matchedWords(
  { subcommands, finds }: BuiltInRule,
  command: CommandWords,
  place: CommandLocation,
): readonly number[] | undefined {
  const all = command.words.map((_, index) => index)
  if (subcommands === undefined) return finds === undefined ? [0] : finds(command, place) ? all : undefined
  for (const names of subcommands) {
    const at = subcommand(command, names.split(' '))
    if (at === undefined) continue
    if (finds === undefined) return all.slice(0, at.index + 1)
    if (finds(at.rest, place)) return all
  }
  return undefined
}

function isPossible({ subcommands }: BuiltInRule, command: CommandWords): boolean {
  return subcommands?.some((names) => mayBecome(command, names.split(' '))) ?? true
}
