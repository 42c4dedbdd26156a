import type { FoundCommand } from '../../shell/index.ts'
import { commandWords, isSteady, mayBecome, subcommand, type CommandWords } from './command-words.ts'
import type { FloorPlace, FloorRule } from './floor-rule.ts'
import { history } from './history.ts'
import { machine } from './machine.ts'
import { removal } from './removal.ts'
import { services } from './services.ts'

/** The built-in floor, without what it knows of paths and of whole lines. */
export const floorRules: readonly FloorRule[] = [...removal, ...history, ...machine, ...services]

export interface FloorMatch {
  readonly rule: FloorRule
  /** The program, its subcommand, and all arguments where they are what makes it dangerous. */
  readonly wordIndexes: readonly number[]
}

export interface FloorAnswer {
  readonly matches: readonly FloorMatch[]
  /** Rules that would match if a word that is only known when it runs were another than it looks. */
  readonly possible: readonly FloorRule[]
}

const nothing: FloorAnswer = { matches: [], possible: [] }

export function matchFloor(found: FoundCommand, place: FloorPlace): FloorAnswer {
  const command = commandWords(found)
  const { program } = command
  if (program === null) return nothing
  const isDynamic = !found.words.every(isSteady)
  const matches: FloorMatch[] = []
  const possible: FloorRule[] = []
  for (const rule of rulesFor(program)) {
    const wordIndexes = matched(rule, command, place)
    if (wordIndexes !== undefined) matches.push({ rule, wordIndexes })
    else if (isDynamic && rule.onlyLiteral !== true && isPossible(rule, command)) possible.push(rule)
  }
  return { matches, possible }
}

const byProgram = new Map<string, FloorRule[]>()
const byBeginning: (readonly [string, FloorRule])[] = []
for (const rule of floorRules)
  for (const program of rule.programs) {
    if (program.endsWith('*')) byBeginning.push([program.slice(0, -1), rule])
    else byProgram.set(program, [...(byProgram.get(program) ?? []), rule])
  }

function rulesFor(program: string): readonly FloorRule[] {
  const begun = byBeginning.filter(([beginning]) => program.startsWith(beginning)).map(([, rule]) => rule)
  const exact = byProgram.get(program) ?? []
  return begun.length === 0 ? exact : [...exact, ...begun]
}

function matched(
  { subcommands, finds }: FloorRule,
  command: CommandWords,
  place: FloorPlace,
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

function isPossible({ subcommands }: FloorRule, command: CommandWords): boolean {
  return subcommands?.some((names) => mayBecome(command, names.split(' '))) ?? true
}
