import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expandMake, readMakefile, setElsewhere, type MakeText } from './read-makefile.ts'
import { readText, type Script } from './script.ts'

/** Recipes that `make` runs for the targets of its command line. */
export function makeScripts(words: readonly string[], folder: string, root: string): readonly Script[] {
  if (!/^g?make$/.test(words[0] ?? '')) return []
  const place = resolve(folder, optionValue(words, /^(-C|--directory)$/) ?? '.')
  const named = optionValue(words, /^(-f|--file|--makefile)$/)
  for (const file of named === undefined ? ['GNUmakefile', 'makefile', 'Makefile'] : [named]) {
    const text = readText(resolve(place, file))
    if (text === undefined) continue
    return scriptsOfTargets(readMakefile(text), targetsOf(words), relative(root, resolve(place, file)), place)
  }
  return []
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

/** None where some target has no recipe here: it may have one that is included, or made by a pattern. */
function scriptsOfTargets(
  makefile: MakeText,
  targets: readonly string[],
  where: string,
  folder: string,
): readonly Script[] {
  const { rules, variables } = makefile
  const byDefault = rules.flatMap((rule) => rule.targets).find((target) => !target.startsWith('.'))
  const wanted = targets.length === 0 && byDefault !== undefined ? [byDefault] : targets
  const reached = reachedRules(rules, wanted)
  if (wanted.some((target) => !reached.some((rule) => rule.target === target && rule.isAnswered))) return []
  const shellFlags = variables.get('.SHELLFLAGS') ?? ''
  const shell = { errexit: /(^|\s)-\w*e/.test(shellFlags), pipefail: shellFlags.includes('pipefail') }
  const isOneShell = rules.some((rule) => rule.targets.includes('.ONESHELL'))
  return reached.flatMap(({ target, recipe }): readonly Script[] => {
    const lines = recipe.map((line) => expandMake(line, variables))
    const texts = isOneShell ? [lines.map((line) => line.replace(/^[@+-]+/, '')).join('\n')] : lines
    const deaf = whyDeaf(makefile, target, folder)
    return texts.map((text) => ({
      ...recipeLine(text),
      where: `${where} target ${target}`,
      folder,
      deaf,
      ...shell,
    }))
  })
}

/** What makes a target succeed whatever its recipe says. */
function whyDeaf({ rules, variables }: MakeText, target: string, folder: string): string | undefined {
  const isAmong = (special: string) =>
    rules.some(({ targets, prerequisites }) => targets.includes(special) && prerequisites.includes(target))
  const ignored = rules.find((rule) => rule.targets.includes('.IGNORE'))
  const flags = variables.get('MAKEFLAGS') ?? ''
  const shell = variables.get('SHELL')
  if (ignored?.prerequisites.length === 0 || isAmong('.IGNORE')) return 'is under ".IGNORE"'
  if (/(^|\s)-?[a-z]*[in][a-z]*(\s|$)|--ignore-errors/.test(flags)) return `is made with MAKEFLAGS "${flags}"`
  if (shell !== undefined && !/sh(\.exe)?(\s|$)/.test(expandMake(shell, variables)))
    return `is given to "${shell}", which is no shell`
  const own = rules.filter(({ targets }) => targets.includes(target))
  const isUpToDate =
    own.every(({ prerequisites }) => prerequisites.length === 0) && existsSync(join(folder, target))
  return isUpToDate && !isAmong('.PHONY')
    ? `is not run, for there is a file "${target}" (name it under .PHONY)`
    : undefined
}

function recipeLine(line: string): Pick<Script, 'text' | 'ignoresFailure'> {
  const prefix = /^[\s@+-]*/.exec(line)?.[0] ?? ''
  return { text: line.slice(prefix.length), ignoresFailure: prefix.includes('-') }
}

interface ReachedRule {
  readonly target: string
  readonly recipe: readonly string[]
  /** It has a recipe, or prerequisites. */
  readonly isAnswered: boolean
}

/** What is needed comes before what needs it. */
function reachedRules(rules: MakeText['rules'], wanted: readonly string[]): readonly ReachedRule[] {
  const seen = new Set<string>()
  const reached: ReachedRule[] = []
  const reach = (target: string): void => {
    if (seen.has(target) || seen.size > maxTargets) return
    seen.add(target)
    const own = rules.filter(({ targets }) => targets.includes(target))
    const needed = own.flatMap(({ prerequisites }) => prerequisites)
    for (const prerequisite of needed) reach(prerequisite)
    const recipe = own.flatMap((rule) => rule.recipe)
    const isMadeElsewhere = own.length === 0 && !target.includes('.') && !target.includes('/')
    if (isMadeElsewhere) reached.push({ target, recipe: [setElsewhere], isAnswered: false })
    else reached.push({ target, recipe, isAnswered: recipe.length + needed.length > 0 })
  }
  for (const target of wanted) reach(target)
  return reached
}

const maxTargets = 500
