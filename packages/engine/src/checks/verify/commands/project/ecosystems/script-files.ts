/** Files in which a project names scripts of its own, and the tools that come with their ecosystems. */
import { parse } from 'jsonc-parser'
import { z } from 'zod'
import {
  nothingDetected,
  scriptsAmong,
  tool,
  toolsIn,
  type Candidate,
  type Detection,
  type Detector,
  type ProjectFiles,
  type ToolRow,
} from '../detected.ts'
import { jsonOf } from '../../../../../base/index.ts'

interface ScriptFile {
  /** The first that is there is read. */
  readonly files: readonly string[]
  /** What runs a script, before its name. */
  readonly runner: string
  /** What a script is called there. */
  readonly what: string
  /** By name, each with its text; undefined: the file cannot be read. */
  readonly scripts: (text: string) => ReadonlyMap<string, string> | undefined
  readonly tools?: (files: ProjectFiles, text: string, file: string) => Promise<readonly Candidate[]>
}

const deno: ScriptFile = {
  files: ['deno.json', 'deno.jsonc'],
  runner: 'deno task',
  what: 'task',
  scripts: (text) => scriptsUnder('tasks', parse(text)),
  tools: async (_, text, file) => [
    tool('tests', 'deno test', `${file} makes it a Deno project`),
    tool('lint', 'deno lint', `${file} makes it a Deno project`),
    tool('typecheck', 'deno check .', `${file} makes it a Deno project`),
  ],
}

const make: ScriptFile = {
  files: ['GNUmakefile', 'makefile', 'Makefile'],
  runner: 'make',
  what: 'target',
  scripts: targetsIn,
}

const just: ScriptFile = {
  files: ['justfile', 'Justfile', '.justfile'],
  runner: 'just',
  what: 'recipe',
  scripts: recipesIn,
}

const composer: ScriptFile = {
  files: ['composer.json'],
  runner: 'composer run-script',
  what: 'script',
  scripts: (text) => scriptsUnder('scripts', jsonOf(text)),
  tools: (files, text) =>
    toolsIn(
      files,
      phpTools,
      (name) => (text.includes(`/${name}"`) ? `composer.json requires ${name}` : undefined),
      (check, name, args, why) => tool(check, `vendor/bin/${name}${args}`, why),
    ),
}

const phpTools: readonly ToolRow[] = [
  ['tests', 'pest', '', ['tests/Pest.php', 'vendor/bin/pest']],
  ['tests', 'phpunit', '', ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml', 'vendor/bin/phpunit']],
  ['lint', 'phpcs', '', ['phpcs.xml', 'phpcs.xml.dist', '.phpcs.xml', 'vendor/bin/phpcs']],
  ['lint', 'pint', ' --test', ['pint.json', 'vendor/bin/pint']],
  ['typecheck', 'phpstan', ' analyse', ['phpstan.neon', 'phpstan.neon.dist', 'vendor/bin/phpstan']],
  ['typecheck', 'psalm', '', ['psalm.xml', 'vendor/bin/psalm']],
]

export const [detectDeno, detectMake, detectJust, detectPhp] = [
  detectorOf(deno),
  detectorOf(make),
  detectorOf(just),
  detectorOf(composer),
]

function detectorOf({ files: names, runner, what, scripts, tools }: ScriptFile): Detector {
  return async (files): Promise<Detection> => {
    for (const file of names) {
      const text = await files.text(file)
      if (text === undefined) continue
      const found = scripts(text)
      const own = scriptsAmong(
        found ?? new Map(),
        (name) => `${runner} ${name}`,
        (name) => `${file} has the ${what} "${name}"`,
      )
      return {
        candidates: [...own, ...((await tools?.(files, text, file)) ?? [])],
        problems: found === undefined ? [`${file} cannot be read: it is no JSON with ${what}s`] : [],
      }
    }
    return nothingDetected
  }
}

/** Undefined: it is no JSON with such scripts. */
function scriptsUnder(key: string, manifest: unknown): ReadonlyMap<string, string> | undefined {
  const shape = z.object({ [key]: z.record(z.string(), z.unknown()).optional() })
  const { data } = shape.safeParse(manifest)
  return (
    data && new Map(Object.entries(data[key] ?? {}).map(([name, script]) => [name, JSON.stringify(script)]))
  )
}

/** Targets of a Makefile with their recipes; assignments are none. */
function targetsIn(text: string): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>()
  let current: readonly string[] = []
  for (const line of text.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/)) {
    const [, targets, inline = ''] = /^([^\s:#=][^:=#]*)::?(?!=)[^;]*;?(.*)$/.exec(line) ?? []
    if (targets !== undefined) current = targets.trim().split(/\s+/)
    const recipe = line.startsWith('\t') ? line.slice(1) : inline
    if (targets === undefined && !line.startsWith('\t')) continue
    for (const target of current) recipes.set(target, `${recipes.get(target) ?? ''}${recipe}\n`)
  }
  return recipes
}

function recipesIn(text: string): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>()
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^@?([A-Za-z_][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line) ?? []
    if (name !== undefined) current = name
    if (current !== '') recipes.set(current, `${recipes.get(current) ?? ''}\n${line}`)
  }
  return recipes
}
