import { relative, resolve } from 'node:path'
import { expandMake, readMakefile, type MakeText } from './read-makefile.ts'
import { isThere, readScript, type Script } from './script.ts'

/** Recipes that `make` runs for the targets of its command line. */
export async function makeScripts(
  words: readonly string[],
  folder: string,
  root: string,
): Promise<readonly Script[]> {
  if (!/^g?make$/.test(words[0] ?? '')) return []
  const place = resolve(folder, optionValue(words, /^(-C|--directory)$/) ?? '.')
  const named = optionValue(words, /^(-f|--file|--makefile)$/)
  for (const file of named === undefined ? ['GNUmakefile', 'makefile', 'Makefile'] : [named]) {
    const found = await readScript(resolve(place, file))
    if (found === undefined) continue
    const where = relative(root, resolve(place, file))
    if (found.unreadable !== undefined) return [{ ...found, where, folder: place, isScript: false }]
    const makefile = readMakefile(found.text)
    const scripts = scriptsOfTargets(makefile, targetsOf(words), { where, folder: place })
    return Promise.all(scripts.map((script) => unlessUpToDate(script, makefile)))
  }
  return []
}

/** A file with a target's name, where nothing says that it is none, keeps `make` from running anything. */
async function unlessUpToDate(script: MakeScript, { rules }: MakeText): Promise<Script> {
  const { target, ...rest } = script
  const isPhony = rules.some((rule) => rule.targets.includes('.PHONY') && rule.prerequisites.includes(target))
  const waitsForNothing = rules.every(
    (rule) => !rule.targets.includes(target) || rule.prerequisites.length === 0,
  )
  if (isPhony || !waitsForNothing || !(await isThere(script.folder, target))) return rest
  const hidesFailures = `there is a file "${target}", so that "make ${target}" runs nothing; name it under .PHONY`
  return { ...rest, hidesFailures }
}

interface MakeScript extends Script {
  readonly target: string
}

function optionValue(words: readonly string[], option: RegExp): string | undefined {
  for (const [index, word] of words.entries()) {
    if (option.test(word)) return words[index + 1]
    const [name = '', value] = word.split(/=(.*)/s)
    if (value !== undefined && option.test(name)) return value
  }
  return undefined
}

function targetsOf(words: readonly string[]): readonly string[] {
  const takesValue = /^(-[CfIo]|--directory|--file|--makefile)$/
  return words.slice(1).filter((word, index) => !/^-|=/.test(word) && !takesValue.test(words[index] ?? ''))
}

interface MakePlace {
  readonly where: string
  readonly folder: string
}

function scriptsOfTargets(
  { rules, variables }: MakeText,
  targets: readonly string[],
  { where, folder }: MakePlace,
): readonly MakeScript[] {
  const byDefault = rules.flatMap((rule) => rule.targets).find((target) => !target.startsWith('.'))
  const wanted = targets.length === 0 && byDefault !== undefined ? [byDefault] : targets
  const shellFlags = variables.get('.SHELLFLAGS') ?? ''
  const isOneShell = rules.some((rule) => rule.targets.includes('.ONESHELL'))
  return reachedRules(rules, wanted).flatMap(({ target, recipe }): readonly MakeScript[] => {
    const place = { target, where: `${where} target ${target}`, folder, isScript: false }
    const hidesFailures = whyAllSucceeds({ rules, variables }, target)
    const shell = { errexit: /(^|\s)-\w*e/.test(shellFlags), pipefail: shellFlags.includes('pipefail') }
    const lines = recipe.map((line) => expandMake(line, variables))
    const texts = isOneShell ? [lines.map((line) => line.replace(/^[@+-]+/, '')).join('\n')] : lines
    return texts.map((text) => ({
      ...recipeLine(text),
      ...place,
      ...shell,
      ...(hidesFailures === undefined ? {} : { hidesFailures }),
    }))
  })
}

/** What makes a target succeed whatever its recipe says. */
function whyAllSucceeds({ rules, variables }: MakeText, target: string): string | undefined {
  const ignored = rules.find((rule) => rule.targets.includes('.IGNORE'))
  const flags = variables.get('MAKEFLAGS') ?? ''
  const shell = variables.get('SHELL')
  if (ignored !== undefined && (ignored.prerequisites.length === 0 || ignored.prerequisites.includes(target)))
    return '".IGNORE" makes every failure a success'
  if (/(^|\s)-?[a-z]*[in][a-z]*(\s|$)|--ignore-errors/.test(flags)) return `"MAKEFLAGS" holds "${flags}"`
  if (shell !== undefined && !/sh(\.exe)?(\s|$)/.test(expandMake(shell, variables)))
    return `"SHELL" is "${shell}", which is no shell`
  return undefined
}

function recipeLine(line: string): Pick<Script, 'text' | 'hidesFailures'> {
  const prefix = /^[\s@+-]*/.exec(line)?.[0] ?? ''
  const text = line.slice(prefix.length)
  if (!prefix.includes('-')) return { text }
  return { text, hidesFailures: `"-" before "${text}" makes its failure a success` }
}

function reachedRules(
  rules: MakeText['rules'],
  wanted: readonly string[],
): readonly { readonly target: string; readonly recipe: readonly string[] }[] {
  const seen = new Set<string>()
  const reached: { target: string; recipe: readonly string[] }[] = []
  const waiting = [...wanted]
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    if (seen.has(target)) continue
    seen.add(target)
    for (const rule of rules.filter(({ targets }) => targets.includes(target))) {
      reached.push({ target, recipe: rule.recipe })
      waiting.push(...rule.prerequisites)
    }
  }
  return reached
}
