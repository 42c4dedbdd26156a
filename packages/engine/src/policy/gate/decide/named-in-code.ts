/** A rule's command in a text that another program runs: `node -e "…('git push')"`, `awk '{ system("git push") }'`, `make -f -`. */
import { programName, type FoundCommand } from '../../../analysis/shell/index.ts'
import type { PrefixRule } from '../rules/rule.ts'

/** Programs that run what stands in their arguments, or in what is piped into them. */
const runsTexts =
  /^(?:node|nodejs|deno|bun|python[\d.]*|pypy[\d.]*|perl|ruby|php|lua|tclsh|Rscript|osascript|[gmn]?awk|g?sed|g?make|ninja|npm|pnpm|yarn|vim?|nvim|ex|ed|emacs|gdb|sqlite3|tmux|screen|expect|jshell|ghci)$/

/** It reads its text from what comes in. */
function readsInput({ words }: FoundCommand): boolean {
  return words.length === 1 || words.slice(1).some(({ text }) => text === '-' || text === '/dev/stdin')
}

/** The first of these rules whose words all occur, in their order and close to each other, in the text of a program. */
export function ruleNamedInCode(
  found: FoundCommand,
  script: string,
  rules: readonly PrefixRule[],
): PrefixRule | undefined {
  const [program] = found.words
  if (!runsTexts.test(programName(program?.text ?? ''))) return undefined
  const texts = found.words.slice(1).map(({ text, written }) => text ?? written)
  if (readsInput(found)) texts.push(script)
  return rules.find(({ pattern }) => {
    const named = namesAll(pattern)
    return texts.some((text) => named.test(text))
  })
}

const patterns = new WeakMap<PrefixRule['pattern'], RegExp>()

function namesAll(pattern: PrefixRule['pattern']): RegExp {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const words = pattern.map(
    (token) => `(?:${token.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
  )
  const made = new RegExp(
    `(?:(?<![\\w-])|(?<=\\\\[nrt]))${words.join('(?![\\w-])[^]{1,40}?(?<![\\w-])')}(?![\\w-])`,
  )
  patterns.set(pattern, made)
  return made
}
