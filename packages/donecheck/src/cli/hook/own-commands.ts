/** Commands by which an agent would take away, or speak in the name of, what watches over it. */
import { basename } from 'node:path'
import type { FoundCommand } from '../../shell/index.ts'

/** They change what is checked, speak as if the agent's program did, or go on with a run of others. */
const guarded: readonly string[] = ['install', 'uninstall', 'hook', 'resume']

/** Programs that start another one that stands among their words. */
const launchers = /^(?:npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|node|corepack|env|tsx)(?:\.\w+)?$/u
const ownNames = /^donecheck(?:\.(?:js|cmd|ps1|exe))?(?:@.*)?$/u
const ownFiles = /[\\/]donecheck[\\/](?:bin|dist)[\\/]/u
/** What follows is not told: somebody who wants to know is no danger. */
const asks: readonly string[] = ['--help', '-h', '--dry-run']

/** The word of ours that the agent may not say; undefined: it says none. */
export function guardedWordIn(commands: readonly FoundCommand[]): string | undefined {
  return commands.map(guardedWord).find((word) => word !== undefined)
}

function guardedWord({ words }: FoundCommand): string | undefined {
  const texts = words.map(({ text }) => text ?? '')
  const [program = ''] = texts
  const at = launchers.test(basename(program)) ? texts.findIndex(isOurs) : isOurs(program) ? 0 : -1
  if (at < 0) return undefined
  const rest = texts.slice(at + 1)
  const isHookFile = /[\\/]hook[\\/]main\.c?js$/u.test(texts[at] ?? '')
  const said = isHookFile ? 'hook' : rest.find((word) => word !== '--' && !word.startsWith('-'))
  if (said === undefined || !guarded.includes(said)) return undefined
  return said !== 'hook' && rest.some((word) => asks.includes(word)) ? undefined : said
}

function isOurs(word: string): boolean {
  return ownNames.test(basename(word.replaceAll('\\', '/'))) || ownFiles.test(word)
}
