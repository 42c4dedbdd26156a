/** Commands by which an agent would disable donecheck or act in its name. */
import { basename } from 'node:path'
import type { FoundCommand, FoundWord } from '../../../analysis/shell/index.ts'
import type { BuiltInRule } from './file-location.ts'

/** They change checks, act as the agent's program, resume other runs, or start agents and command lines. */
const guardedInSessions = ['install', 'uninstall', 'hook', 'resume', 'run', 'session', 'fleet', 'import']
/** They change goals, limits, approvals or trust. By second word, which may be empty. */
const guardedEverywhere: ReadonlyMap<string, RegExp> = new Map([
  ['approve', /^(?!list$)/u],
  ['goal', /^(?:set|add|edit|pause|resume|clear|wait)$/u],
  ['judge', /^label$/u],
  ['memory', /^(?:forget|pin)$/u],
  ['resume', /^/u],
  ['serve', /^/u],
  ['uninstall', /^/u],
])
const bringsLines = /^--(?:until|held-out)(?:=|$)/u

/** They start a program among their words. */
const launcherNames = 'npx npm pnpm pnpx yarn bun bunx deno node corepack env tsx'.split(' ')
const launchers = new RegExp(`^(?:${launcherNames.join('|')})(?:\\.\\w+)?$`, 'u')
const ownNames = /^donecheck(?:\.(?:js|cmd|ps1|exe))?(?:@.*)?$/u
const ownFiles = /[\\/]donecheck[\\/](?:bin|dist)[\\/]/u
const asks: readonly string[] = ['--help', '-h', '--dry-run']

/** After another flag it may be a value: `--reason --help`. */
function onlyAsks(words: readonly string[]): boolean {
  return words.some((word, index) => asks.includes(word) && words[index - 1]?.startsWith('-') !== true)
}

/** The forbidden command; undefined if there is none. @param pinned check lines, always allowed */
export function findGuardedWord(
  commands: readonly FoundCommand[],
  pinned: readonly string[],
): string | undefined {
  return commands.map((one) => guardedWord(one, pinned)).find((word) => word !== undefined)
}

function guardedWord({ words }: FoundCommand, pinned: readonly string[]): string | undefined {
  const call = ownCall(words)
  if (call === undefined) return undefined
  const { said, rest } = call
  if (said === 'verify') return bringsOther(rest, pinned) ? 'verify --until' : undefined
  if (said === undefined || !guardedInSessions.includes(said)) return wordGuardedEverywhere(call)
  return said !== 'hook' && onlyAsks(rest) ? undefined : said
}

interface OwnCall {
  readonly said: string | undefined
  readonly rest: readonly string[]
}

/** Undefined for other programs. */
function ownCall(words: readonly FoundWord[]): OwnCall | undefined {
  const texts = words.map(({ text }) => text ?? '')
  const [program = ''] = texts
  const at = launchers.test(basename(program)) ? texts.findIndex(isOurs) : isOurs(program) ? 0 : -1
  if (at < 0) return undefined
  const rest = texts.slice(at + 1)
  const isHookFile = /[\\/]hook[\\/][\w-]+\.c?js$/u.test(texts[at] ?? '')
  return { said: isHookFile ? 'hook' : rest.find((word) => word !== '--' && !word.startsWith('-')), rest }
}

function wordGuardedEverywhere({ said, rest }: OwnCall): string | undefined {
  if (said === undefined || onlyAsks(rest)) return undefined
  const second = rest.slice(rest.indexOf(said) + 1).find((word) => !word.startsWith('-')) ?? ''
  return guardedEverywhere.get(said)?.test(second) === true ? `${said} ${second}`.trim() : undefined
}

export const ownCommands: readonly BuiltInRule[] = [
  {
    name: 'change of what watches over the run',
    severity: 'forbidden',
    justification: 'the goal, the budget and the checks of a run are for the people who watch over it',
    programs: ['donecheck', ...launcherNames],
    finds: ({ words }) => {
      const call = ownCall(words)
      return call !== undefined && wordGuardedEverywhere(call) !== undefined
    },
    onlyLiteral: true,
  },
]

function bringsOther(words: readonly string[], pinned: readonly string[]): boolean {
  return words.some((word, index) => {
    if (!bringsLines.test(word)) return false
    const line = word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[index + 1]
    return line === undefined || !pinned.includes(line)
  })
}

function isOurs(word: string): boolean {
  return ownNames.test(basename(word.replaceAll('\\', '/'))) || ownFiles.test(word)
}
