/** The manifest of a JavaScript project: scripts of the checks, settings of runners, the runners themselves. */
import { packageScriptsNamedIn, type ProtectOptions } from '../../protect/index.ts'
import { compareCommand } from './command-line.ts'
import type { ConfigFinding } from './config-finding.ts'
import { readJsonSettings } from './read-settings.ts'
import { compareSettings, type SettingValue, type Settings } from './settings.ts'

/** Keys under which runners, linters and hooks are configured. */
export const runnerKeys: readonly string[] = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'nyc',
  'c8',
  'tap',
  'eslintConfig',
  'eslintIgnore',
  'babel',
  'husky',
  'lint-staged',
  'simple-git-hooks',
  'prettier',
  'xo',
  'standard',
  'wireit',
  'playwright',
  'taprc',
  'stylelint',
  'pre-commit',
  'overrides',
  'resolutions',
  'imports',
  'bin',
  'pnpm',
  'workspaces',
]

const runners =
  /^(?:vitest|jest|@jest\/.*|jest-.*|ts-jest|babel-jest|mocha|ava|tap|chai|expect|jasmine|uvu|@playwright\/test|cypress|c8|nyc|@vitest\/.*|eslint|typescript|tsx|ts-node|sinon|@testing-library\/.*|karma|bun-types|tape|@web\/test-runner|biome|@biomejs\/biome)$/u

const dependencyKeys = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Names that are scripts of checks where the commands of the checks name none. */
const usual =
  /^(?:pre|post)?(?:test|tests|lint|typecheck|type-check|check|verify|ci|coverage|validate|build|tsc|types|unit|e2e|integration|spec)(?:[:.-].*)?$/u

export function comparePackageJson(
  before: string,
  after: string,
  options: ProtectOptions,
): readonly ConfigFinding[] {
  const then = readJsonSettings(before)
  const now = readJsonSettings(after)
  if (then === undefined) return []
  if (now === undefined) return [{ rule: 'check-script.changed', message: 'it is no valid JSON any more' }]
  const names = checkScripts(then, now, options)
  return [
    ...compareScripts(then, now, names),
    ...compareRunners(then, now),
    ...compareSettings(runnerSettings(then), runnerSettings(now)),
  ]
}

/** Scripts that a check runs, with those that they run and their `pre` and `post` scripts. */
export function checkScripts(then: Settings, now: Settings, options: ProtectOptions): ReadonlySet<string> {
  const named = options.checkCommands
    .flatMap(packageScriptsNamedIn)
    .filter((name) => then.has(`scripts.${name}`) || now.has(`scripts.${name}`))
  const all = [...new Set([...then.keys(), ...now.keys()])].flatMap((key) =>
    key.startsWith('scripts.') ? [key.slice(8)] : [],
  )
  const found = new Set(named.length > 0 ? named : all.filter((name) => usual.test(name)))
  for (const name of found) {
    for (const settings of [then, now]) {
      for (const inner of packageScriptsNamedIn(String(settings.get(`scripts.${name}`) ?? '')))
        found.add(inner)
    }
    for (const around of [`pre${name}`, `post${name}`]) if (all.includes(around)) found.add(around)
  }
  return found
}

function compareScripts(then: Settings, now: Settings, names: ReadonlySet<string>): readonly ConfigFinding[] {
  const roots = [...names].filter((name) => !isInner(name, names, then))
  return roots.flatMap((name) => {
    const before = then.get(`scripts.${name}`)
    const after = now.get(`scripts.${name}`)
    if (before === undefined) return after === undefined ? [] : newScript(name, String(after))
    if (after === undefined)
      return [{ rule: 'check-script.changed', message: `the script ${name} is gone` } as const]
    const expanded = (settings: Settings) => (script: string) => {
      const text = settings.get(`scripts.${script}`)
      return text === undefined ? undefined : String(text)
    }
    const full = (settings: Settings, text: SettingValue) => inlined(String(text), expanded(settings), 0)
    return compareCommand(full(then, before), full(now, after)).map((found) => ({
      ...found,
      message: `script ${name}: ${found.message}`,
    }))
  })
}

/** Compared as a part of the script that runs it. */
function isInner(name: string, names: ReadonlySet<string>, then: Settings): boolean {
  return [...names].some(
    (other) =>
      other !== name &&
      packageScriptsNamedIn(String(then.get(`scripts.${other}`) ?? '')).includes(name) &&
      !packageScriptsNamedIn(String(then.get(`scripts.${name}`) ?? '')).includes(other),
  )
}

/** Package scripts written out in the place where they are run. */
function inlined(text: string, expand: (script: string) => string | undefined, depth: number): string {
  if (depth > 5) return text
  return text.replaceAll(
    /(?:^|(?<=[;&|]\s*))(?:npm|pnpm|yarn|bun)\s+(?:-s\s+|--silent\s+)?(?:run\s+(?:-s\s+|--silent\s+)?)?([\w:.@/-]+)(?:\s+--(?=\s))?/gu,
    (all, name: string) => {
      const inner = expand(name)
      return inner === undefined ? all : inlined(inner, expand, depth + 1)
    },
  )
}

/** A script before or after the check can stand in its way. */
function newScript(name: string, text: string): readonly ConfigFinding[] {
  const found = compareCommand('', text).map((finding) => ({
    ...finding,
    message: `script ${name}: ${finding.message}`,
  }))
  const isAround = /^(?:pre|post)/u.test(name)
  const isHarmless =
    /^(?:(?:npm|pnpm|yarn|bun) run [\w:.-]+|tsc\b[^;&|]*|rimraf\b[^;&|]*|eslint\b[^;&|]*|[\w-]*\bbuild\b[^;&|]*)(?:\s*&&\s*(?:tsc|npm run [\w:.-]+)[^;&|]*)*$/u.test(
      text,
    )
  if (found.length > 0 || !isAround || isHarmless) return found
  return [
    {
      rule: 'check-script.changed',
      message: `the script ${name} is new: ${text.slice(0, 80)}`,
      ...(/\b(?:node|sh|bash|python3?)\s|\.\//u.test(text) ? {} : { atMost: 'note' }),
    },
  ]
}

function compareRunners(then: Settings, now: Settings): readonly ConfigFinding[] {
  const named = (settings: Settings) =>
    new Map(
      [...settings].flatMap(([key, value]) => {
        const [group = '', ...rest] = key.split('.')
        const name = rest.join('.')
        return dependencyKeys.includes(group) && runners.test(name) ? [[name, String(value)] as const] : []
      }),
    )
  const before = named(then)
  const after = named(now)
  const gone = [...before.keys()].filter((name) => !after.has(name))
  const other = [...after].filter(
    ([name, version]) =>
      before.get(name) !== version &&
      /^(?:file:|link:|portal:|npm:|git|https?:|\.{0,2}\/|workspace:(?![*^~]))/u.test(version),
  )
  return [
    ...other.map(([name, version]): ConfigFinding => ({
      rule: 'runner.replaced',
      message: `${name} comes from ${version} now`,
    })),
    ...gone.map((name): ConfigFinding => ({
      rule: 'runner.replaced',
      message: `${name} is no longer a dependency`,
      atMost: 'note',
    })),
  ]
}

function runnerSettings(settings: Settings): Settings {
  return new Map(
    [...settings].filter(
      ([key]) =>
        (runnerKeys.includes(key.split('.')[0] ?? '') &&
          !/^(?:bin|imports|pnpm|workspaces|husky|lint-staged|overrides|resolutions)\b/u.test(key)) ||
        /^(?:overrides|resolutions|pnpm\.overrides|imports)\.(?:.*[./])?(?:#?vitest|jest|mocha|chai|expect|ava|tap|c8|nyc|typescript|eslint)\b/u.test(
          key,
        ) ||
        /^bin\.(?:vitest|jest|mocha|ava|tap|c8|nyc|tsc|eslint)$/u.test(key),
    ),
  )
}
