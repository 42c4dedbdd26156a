/** Scripts of checks and Makefiles: what they run, and whether its answer is kept. */
import { compareCommand } from './command-line.ts'
import type { ConfigFinding } from './config-finding.ts'

export function compareScript(path: string, before: string, after: string): readonly ConfigFinding[] {
  if (/\.(?:[cm]?[jt]s|py|rb|pl|php)$/u.test(path)) return compareProgram(before, after)
  const masked = strictLost(before, after)
  const early = earlyExit(after) && !earlyExit(before)
  return [
    ...(early
      ? [{ rule: 'exit-code.masked', message: 'it exits with 0 before its commands are through' } as const]
      : []),
    ...masked,
    ...compareCommand(before, after),
  ]
}

function strictLost(before: string, after: string): readonly ConfigFinding[] {
  const isStrict = (text: string) => /^\s*set\s+-\w*e|^#!.*\bsh\s+-\w*e|^\s*set\s+-o\s+errexit/mu.test(text)
  const hasPipefail = (text: string) => /\bpipefail\b/u.test(text)
  if (isStrict(before) && !isStrict(after)) return [{ rule: 'exit-code.masked', message: '`set -e` is gone' }]
  return hasPipefail(before) && !hasPipefail(after)
    ? [{ rule: 'exit-code.masked', message: '`pipefail` is gone' }]
    : []
}

/** An unconditional `exit 0` with commands behind it. */
function earlyExit(text: string): boolean {
  return /^exit\s+0\s*$[\s\S]*^\s*(?!#)[\w.]/mu.test(text)
}

/** A check that is a program of its own is compared as a whole: every line that is gone counts. */
function compareProgram(before: string, after: string): readonly ConfigFinding[] {
  const rows = (text: string) =>
    text
      .split(/\r?\n/u)
      .map((row) => row.replace(/(?:^|\s)(?:\/\/|#(?!!)).*$/u, '').replaceAll(/[\s;,'"`]+/gu, ''))
      .filter((row) => row !== '' && row !== '#!')
  const now = rows(after)
  const known = new Set(now)
  const then = rows(before)
  const gone = then.filter((row) => !known.has(row))
  const exits = /(?:process\.exit|sys\.exit|os\._exit|exit)\(0?\)|process\.exitCode=0/u
  const added = now.find((row) => !then.includes(row) && exits.test(row))
  if (added !== undefined) return [{ rule: 'exit-code.masked', message: 'it exits with 0 by itself' }]
  const joined = (list: readonly string[]) => list.join('').replaceAll(/[()]/gu, '')
  if (gone.length === 0 || joined(then) === joined(now)) return []
  return [{ rule: 'check-script.changed', message: `${gone.length} of its lines are gone or changed` }]
}

interface Target {
  readonly name: string
  readonly recipe: string
}

export function compareMakefile(before: string, after: string): readonly ConfigFinding[] {
  const then = targetsOf(before)
  const now = new Map(targetsOf(after).map(({ name, recipe }) => [name, recipe]))
  const ignores =
    /^\.IGNORE\b|^MAKEFLAGS\s*[+:]?=.*(?:-i|--ignore-errors|-n|--dry-run|-k)\b|^\.SHELLFLAGS|^SHELL\s*[:?]?=/mu
  const wide = !ignores.test(before) && ignores.test(after)
  return [
    ...(wide
      ? [
          {
            rule: 'exit-code.masked',
            message: 'make is told to go on after errors, or to use another shell',
          } as const,
        ]
      : []),
    ...then
      .filter(({ name }) => /test|check|lint|verify|ci|cover|build|type|valid/iu.test(name))
      .flatMap(({ name, recipe }): readonly ConfigFinding[] => {
        const other = now.get(name)
        if (other === undefined)
          return [{ rule: 'check-script.changed', message: `the target ${name} is gone` }]
        const isMasked = /^\s*@?-/mu.test(other) && !/^\s*@?-/mu.test(recipe)
        const masked: readonly ConfigFinding[] = isMasked
          ? [{ rule: 'exit-code.masked', message: `target ${name}: its exit code is hidden by \`-\`` }]
          : []
        const plain = (text: string) => text.replaceAll(/^\s*[@+-]+/gmu, '')
        const needs = (text: string) => text.split('\n')[0] ?? ''
        const lost = needs(recipe)
          .split(/\s+/u)
          .filter((need) => need !== '' && !other.includes(need))
        const dropped: readonly ConfigFinding[] =
          lost.length > 0
            ? [{ rule: 'check-script.changed', message: `target ${name} no longer needs ${lost.join(', ')}` }]
            : []
        return [
          ...masked,
          ...dropped,
          ...compareCommand(
            plain(recipe.slice(needs(recipe).length)),
            plain(other.slice(needs(other).length)),
          ).map((found) => ({ ...found, message: `target ${name}: ${found.message}` })),
        ]
      }),
  ]
}

/** The first line of a recipe is what the target needs. */
function targetsOf(text: string): readonly Target[] {
  const plain = text.replaceAll(/\\\r?\n/gu, ' ').replaceAll('\r', '')
  const found = plain.matchAll(/^([\w.:%/ -]+?)\s*::?(?!=)([^\n]*)\n?((?:(?:\t| {2,}).*\n?|\s*\n)*)/gmu)
  return [...found].flatMap((match) =>
    (match[1] ?? '').split(/\s+/u).map((name) => ({
      name,
      recipe: `${(match[2] ?? '').replace(/#.*$/u, '').trim()}\n${(match[3] ?? '').replaceAll(/^\s+/gmu, '').trim()}`,
    })),
  )
}
