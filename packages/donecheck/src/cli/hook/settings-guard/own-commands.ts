/** Commands by which an agent would take away, or speak in the name of, what watches over it. */
import { basename } from 'node:path'
import type { FoundCommand } from '@donecheck/engine/shell'

/**
 * They change what is checked, speak as if the agent's program did, go on with a run of others, or start agents and command lines
 * of their own.
 */
const guarded: readonly string[] = ['install', 'uninstall', 'hook', 'resume', 'run']
/** Of `verify`: what stands behind them is a command line, which nobody but a shell would read. */
const bringsLines = /^--(?:until|held-out)(?:=|$)/u

/** Programs that start another one that stands among their words. */
const launchers = /^(?:npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|node|corepack|env|tsx)(?:\.\w+)?$/u
const ownNames = /^donecheck(?:\.(?:js|cmd|ps1|exe))?(?:@.*)?$/u
const ownFiles = /[\\/]donecheck[\\/](?:bin|dist)[\\/]/u
/** What follows is not told: somebody who wants to know is no danger. */
const asks: readonly string[] = ['--help', '-h', '--dry-run']

/**
 * The word of ours that the agent may not say; undefined: it says none.
 * @param pinned command lines of the checks: they may be asked at any time
 */
export function findGuardedWord(
  commands: readonly FoundCommand[],
  pinned: readonly string[],
): string | undefined {
  return commands.map((one) => guardedWord(one, pinned)).find((word) => word !== undefined)
}

function guardedWord({ words }: FoundCommand, pinned: readonly string[]): string | undefined {
  const texts = words.map(({ text }) => text ?? '')
  const [program = ''] = texts
  const at = launchers.test(basename(program)) ? texts.findIndex(isOurs) : isOurs(program) ? 0 : -1
  if (at < 0) return undefined
  const rest = texts.slice(at + 1)
  const isHookFile = /[\\/]hook[\\/][\w-]+\.c?js$/u.test(texts[at] ?? '')
  const said = isHookFile ? 'hook' : rest.find((word) => word !== '--' && !word.startsWith('-'))
  if (said === 'verify') return bringsOther(rest, pinned) ? 'verify --until' : undefined
  if (said === undefined || !guarded.includes(said)) return undefined
  return said !== 'hook' && rest.some((word) => asks.includes(word)) ? undefined : said
}

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
