/** The rules of a gate, ready to be asked. */
import { posix } from 'node:path'
import picomatch from 'picomatch'
import { isWithin } from '../built-in-rules/file-location.ts'
import { behindOptions, type FoundWord, steadyTexts } from '../../../analysis/shell/index.ts'
import { matchPrefixRules, policyOf, type PrefixMatch } from '../rules/match-prefix-rules.ts'
import type { PathRule, PolicyRule, PrefixRule } from '../rules/rule.ts'

export interface CompiledPolicy {
  readonly rules: readonly PolicyRule[]
  /** Those of commands that ask or forbid. */
  readonly strict: readonly PrefixRule[]
  /** @param folder absolute; programs given as a path are looked up from there */
  matchCommand(words: readonly (string | null)[], folder: string): readonly PrefixMatch[]
  /** Whether a rule that asks or forbids could match, depending on words that are only known when it runs. */
  mayMatch(words: readonly FoundWord[]): boolean
  /** @param paths the same file by several names: relative to the work folder, absolute, below `~` */
  matchPath(paths: readonly string[]): readonly PathRule[]
  /** Those that ask or forbid, and could match something in this folder. @param folder absolute */
  rulesBelow(folder: string, workFolder: string): readonly PathRule[]
}

export function compilePolicy(rules: readonly PolicyRule[]): CompiledPolicy {
  const prefixRules = rules.filter((rule) => rule.kind === 'prefix')
  const strict = prefixRules.filter(({ decision }) => decision !== 'allow')
  const policy = policyOf(rules)
  const pathRules = rules
    .filter((rule) => rule.kind === 'path')
    .map((rule) => {
      // Most calls name no file: a glob is made when the first one does.
      let isMatch: ((path: string) => boolean) | undefined
      return {
        rule,
        isMatch: (path: string) => (isMatch ??= picomatch([...rule.paths], { dot: true }))(path),
      }
    })
  return {
    rules,
    strict,
    matchCommand: (words, folder) => {
      const found = matchPrefixRules(policy, words, { lookAlikes: true, folder })
      const meant = words.map((word) => (word === 'send-pack' ? 'push' : word))
      if (!words.includes('send-pack') || !isNamed(words[0] ?? '', ['git'])) return found
      const more = matchPrefixRules(policy, meant, { lookAlikes: true, folder })
      return [...found, ...more.filter(({ rule }) => rule.decision !== 'allow')]
    },
    mayMatch: (words) => strict.some((rule) => mayMatch(rule, words)),
    matchPath: (paths) =>
      pathRules.filter(({ isMatch }) => paths.some((path) => isMatch(path))).map(({ rule }) => rule),
    rulesBelow: (folder, workFolder) =>
      pathRules
        .map(({ rule }) => rule)
        .filter(
          ({ decision, paths }) =>
            decision !== 'allow' && paths.some((path) => reachesBelow(path, folder, workFolder)),
        ),
  }
}

/** A glob with `**` behind its last literal folder goes down from there. */
function reachesBelow(glob: string, folder: string, workFolder: string): boolean {
  const { base, glob: wild } = picomatch.scan(glob)
  const start = posix.resolve(workFolder, base)
  return isWithin(start, folder) || (wild.startsWith('**') && isWithin(folder, start))
}

function mayMatch({ pattern: [programs, ...rest] }: PrefixRule, words: readonly FoundWord[]): boolean {
  const program = words[0]?.text ?? null
  if (program === null) return true
  return isNamed(program, programs) && behindOptions(steadyTexts(words), rest) === 'open'
}

/** Also by the last part of a path: what stands elsewhere may be the same program. */
function isNamed(program: string, names: readonly string[]): boolean {
  return names.includes(program) || names.includes(program.slice(program.lastIndexOf('/') + 1))
}
