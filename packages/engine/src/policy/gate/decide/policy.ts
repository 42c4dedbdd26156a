import { posix } from 'node:path'
import picomatch from 'picomatch'
import { isWithin } from '../built-in-rules/file-location.ts'
import { behindOptions, type FoundWord, steadyTexts } from '../../../analysis/shell/index.ts'
import { matchPrefixRules, policyOf, type PrefixMatch } from '../rules/match-prefix-rules.ts'
import type { PathRule, PolicyRule, PrefixRule } from '../rules/rule.ts'

export interface CompiledPolicy {
  readonly rules: readonly PolicyRule[]
  readonly strict: readonly PrefixRule[]
  /** @param folder absolute; resolves programs given as paths */
  matchCommand(words: readonly (string | null)[], folder: string): readonly PrefixMatch[]
  /** Whether a strict rule could match, depending on run-time words. */
  mayMatch(words: readonly FoundWord[]): boolean
  /** @param paths names of one file: relative to the work folder, absolute, below `~` */
  matchPath(paths: readonly string[]): readonly PathRule[]
  /** Strict rules that could match in this folder. @param folder absolute */
  rulesBelow(folder: string, workFolder: string): readonly PathRule[]
}

export function compilePolicy(rules: readonly PolicyRule[]): CompiledPolicy {
  const prefixRules = rules.filter((rule) => rule.kind === 'prefix')
  const strict = prefixRules.filter(({ decision }) => decision !== 'allow')
  const policy = policyOf(rules)
  const pathRules = rules
    .filter((rule) => rule.kind === 'path')
    .map((rule) => {
      // Most calls name no file, so globs compile on first use.
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

/** `**` after the last literal folder matches below it. */
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

/** Compares the last part of paths: it may be the same program. */
function isNamed(program: string, names: readonly string[]): boolean {
  return names.includes(program) || names.includes(program.slice(program.lastIndexOf('/') + 1))
}
