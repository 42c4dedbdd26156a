/** Settings of runners, linters and compilers, whatever file they stand in: which change makes a check say less. */
import picomatch from 'picomatch'
import type { ConfigFinding } from './config-finding.ts'

export type SettingValue = string | number | boolean | null | readonly string[]

/** Keys are joined by dots. */
export type Settings = ReadonlyMap<string, SettingValue>

type Rule = (
  key: string,
  then: SettingValue | undefined,
  now: SettingValue | undefined,
) => ConfigFinding | undefined

const excluding =
  /(?:^|\.)(?:exclude|excludes|excludedFiles|testPathIgnorePatterns|coveragePathIgnorePatterns|modulePathIgnorePatterns|ignore|ignores|ignorePatterns|ignored|testIgnore|omit|exclude_lines|exclude_also|norecursedirs|collect_ignore|collect_ignore_glob|deselect|skip|exclude-test-files|per-file-ignores|extend-exclude|extend-ignore|disable|forbidden|spec-exclude|deny)(?:\.\d+)?$/u
const including =
  /(?:^|\.)(?:include|includes|testMatch|testRegex|tests|files|spec|specs|roots|projects|testpaths|python_files|python_classes|python_functions|collectCoverageFrom|source|source_pkgs|select|extend-select|enable|extension|testDir|dir|root|rootDir|linters|packages|references|testFiles|workspace|include-source|includeSource)(?:\.\d+)?$/u
const threshold =
  /threshold|fail_under|fail-under|minimum|(?:^|\.)(?:lines|branches|functions|statements|perFile|100)$|minTests|min_coverage/iu
const limit =
  /(?:^|\.)(?:testTimeout|timeout|hookTimeout|teardownTimeout|retry|retries|reruns|maxWarnings|max-warnings|max_warnings|globalTimeout|maxFailures|slowTestThreshold|defaultCommandTimeout|max-complexity|max-line-length|max-args)$/u
const looserWhenTrue =
  /(?:^|\.)(?:passWithNoTests|allowOnly|allow-empty|dangerouslyIgnoreUnhandledErrors|updateSnapshot|update|skipFull|skip_empty|ignore_errors|ignoreErrors|allowJs-unchecked|skipTests|testFailureIgnore|ignore_missing_imports|noCheck|suppressImplicitAnyIndexErrors|skipFiles|ignoreBuildErrors|ignoreDuringBuilds|transpileOnly|isolatedTests|onlyChanged|lastCommit|ignoreFailures|allow_untyped_defs|isIgnored|disableTypeChecks|allowUnreachableCode|allowUnusedLabels|keepGoing)$/u
const looserWhenFalse =
  /(?:^|\.)(?:strict|noImplicit\w+|strict\w+|noUnused\w+|noUnchecked\w+|exactOptionalPropertyTypes|noFallthrough\w+|noPropertyAccess\w+|useUnknownInCatchVariables|alwaysStrict|forbidOnly|forbid-only|forbidPending|check-coverage|checkCoverage|checkJs|strict_markers|xfail_strict|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|failOnConsole|failOnFlaky|errorOnDeprecated|failWithoutAssertions|failZero|collectCoverage|enabled|recommended|reportUnusedDisableDirectives|ci|branch)$/u
const filters =
  /(?:^|\.)(?:testNamePattern|grep|fgrep|grepInvert|testPathPatterns?|shard|onlyChanged|changed|related|changedSince|invert|testNameFilter)$/u
const replacing =
  /(?:^|\.)(?:alias|moduleNameMapper|runner|testRunner|resolver|customExportConditions|overrides|resolutions)(?:\.|$)|(?:^|\.)(?:globals\.(?:expect|it|test|describe|assert))$/u
const lintRule = /(?:^|\.)rules\.|linter\.rules\./u
const wrapping =
  /(?:^|\.)(?:transform|require|import|preload|node-option|nodeOptions|ui|interface|testEnvironment|environment|pool|snapshotSerializers|snapshotResolver|resolveSnapshotPath|plugins|nodeArguments|execArgv|setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|setup|teardown|(?<!coverage\.)reporters?)(?:\.|$)/u

/** `isNew`: there was no such file, so that what was in force is not known. */
export function compareSettings(before: Settings, after: Settings): readonly ConfigFinding[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].flatMap((key) => {
    const then = before.get(key)
    const now = after.get(key)
    if (JSON.stringify(then) === JSON.stringify(now)) return []
    const rule = ruleOf(key)
    const found = rule?.(key, then, now)
    return found === undefined ? [] : [found]
  })
}

function ruleOf(key: string): Rule | undefined {
  const table: readonly (readonly [RegExp, Rule])[] = [
    [lintRule, lintRuleLoosened],
    [filters, filterAdded],
    [threshold, thresholdLowered],
    [limit, limitRaised],
    [replacing, replaced],
    [looserWhenTrue, switchedOn],
    [looserWhenFalse, switchedOff],
    [excluding, excludesMore],
    [including, includesLess],
    [/(?:^|\.)skipLibCheck$/u, skipLibraries],
    [wrapping, wrapped],
  ]
  return table.find(([pattern]) => pattern.test(key))?.[1]
}

const lintRuleLoosened: Rule = (key, then, now) => {
  const rank = severityOf(now) - severityOf(then ?? 2)
  if (now === undefined ? severityOf(then) > 0 : rank < 0) {
    return {
      rule: severityOf(now) === 0 ? 'scope.narrowed' : 'limit.loosened',
      message: `${key} is ${show(now)} now`,
    }
  }
  return undefined
}

function severityOf(value: SettingValue | undefined): number {
  const first = typeof value === 'object' && value !== null ? value[0] : value
  const word = String(first).replaceAll(/['"]/gu, '')
  if (/^(?:0|off|false|undefined|null|allow)$/u.test(word)) return 0
  return /^(?:1|warn|warning|info)$/u.test(word) ? 1 : 2
}

const filterAdded: Rule = (key, _, now) =>
  now === undefined || now === false || now === ''
    ? undefined
    : { rule: 'scope.narrowed', message: `${key} leaves tests out: ${show(now)}` }

const thresholdLowered: Rule = (key, then, now) => {
  if (then === undefined) return undefined
  const isLooser =
    typeof then === 'number'
      ? !(typeof now === 'number' && now >= then)
      : then === true
        ? now !== true
        : false
  const negative = typeof then === 'number' && then < 0 && typeof now === 'number' && now <= then
  return isLooser && !negative
    ? { rule: 'limit.loosened', message: `${key} is ${show(now)} now, it was ${show(then)}` }
    : undefined
}

const limitRaised: Rule = (key, then, now) => {
  if (now === undefined) return undefined
  const value = Number(now)
  const usual = /retr|rerun|warning/iu.test(key) ? (/warning/iu.test(key) ? Infinity : 0) : 5000
  const earlier = then === undefined ? usual : Number(then)
  const isTimeout = /timeout/iu.test(key)
  const isLooser =
    isTimeout && value === 0 ? earlier !== 0 : Number.isNaN(value) ? /retr/iu.test(key) : value > earlier
  return isLooser
    ? { rule: 'limit.loosened', message: `${key} is ${show(now)} now, it was ${show(then)}` }
    : undefined
}

const replaced: Rule = (key, then, now) => {
  if (now === undefined) return undefined
  const target = `${key} ${show(now)}`
  const isRunner =
    /(?:vitest|jest|expect|chai|mocha|assert|node:test|@playwright|sinon|should|ava|tap|testing-library)/u.test(
      target,
    )
  const isAsset = /css|less|scss|svg|png|jpe?g|woff|\^@\/|\^~\/|\.alias\.[@~#]|\$lib|\(\.\*\)|\.js\$/u.test(
    target,
  )
  if (!isRunner && isAsset && !isIntercepting(key, now)) return undefined
  const isRule =
    isRunner ||
    isIntercepting(key, now) ||
    /runner|moduleNameMapper|resolver/u.test(key) ||
    then !== undefined
  return {
    rule: 'runner.replaced',
    message: `${key} is ${show(now)} now`,
    ...(isRule ? {} : { atMost: 'note' }),
  }
}

/** It leads to what belongs to the tests, or catches paths that lead to the code itself. */
function isIntercepting(key: string, now: SettingValue): boolean {
  const text = String(now)
  const leadsToTests = /(?:^|[/'"`])(?:tests?|specs?|__tests__|__mocks__|mocks?|stubs?|fakes?|fixtures)\//iu
  const isLoosePattern = key.endsWith('.find') && /^\/(?!\^)/u.test(text)
  return leadsToTests.test(text) || isLoosePattern
}

const switchedOn: Rule = (key, then, now) =>
  isTrue(now) && !isTrue(then) ? { rule: 'scope.narrowed', message: `${key} is ${show(now)} now` } : undefined

const switchedOff: Rule = (key, then, now) => {
  const isLooser = isTrue(then) ? !isTrue(now) && !isStrong(now) : isFalse(now) && !isFalse(then)
  if (!isLooser || (then === undefined && /enabled|^collectCoverage|branch|\.ci$/u.test(key)))
    return undefined
  return { rule: 'limit.loosened', message: `${key} is ${show(now)} now` }
}

/** `strict: "yes"`. */
function isStrong(value: SettingValue | undefined): boolean {
  return typeof value === 'string' && !/^(?:false|off|no|0)$/iu.test(value)
}

const excludesMore: Rule = (key, then, now) => {
  const had = new Set(listOf(then))
  const added = listOf(now).filter((entry) => !had.has(entry) && !isHarmless(entry))
  return added.length === 0
    ? undefined
    : { rule: 'scope.narrowed', message: `${key} leaves out ${added.join(', ')}` }
}

/** Left out by default, or never tested. */
function isHarmless(entry: string): boolean {
  return /node_modules|(?:^|\/)(?:dist|build|out|coverage|vendor|target|\.\w[\w-]*|__pycache__|e?gg-info|generated|__generated__)(?:\/|$)|\.d\.ts|configDefaults|defaultExclude|^\.\.\./u.test(
    entry,
  )
}

const includesLess: Rule = (key, then, now) => {
  if (then === undefined) return includesFirst(key, now)
  const wide = listOf(now)
  const lost = listOf(then).filter((entry) => !wide.includes(entry) && !isCovered(entry, wide))
  if (now === undefined && !/^(?:testMatch|include|files)$/u.test(key.split('.').at(-1) ?? ''))
    return undefined
  if (now === undefined) return { rule: 'scope.narrowed', message: `${key} is gone`, atMost: 'note' }
  return lost.length === 0
    ? undefined
    : { rule: 'scope.narrowed', message: `${key} no longer has ${lost.join(', ')}` }
}

/** Where nothing was said before, all was taken in: single files are less than that, whole folders rarely are. */
function includesFirst(key: string, now: SettingValue | undefined): ConfigFinding | undefined {
  const isOfCoverage = /coverage|source|select|enable|references|packages|files\.\d|extension/iu
  if (now === undefined || isOfCoverage.test(key)) return undefined
  const isSingle = listOf(now).length > 0 && listOf(now).every((entry) => /^[^*{]+\.\w+$/u.test(entry))
  return {
    rule: 'scope.narrowed',
    message: `${key} is ${show(now)}`,
    ...(isSingle ? {} : { atMost: 'note' }),
  }
}

/** Whether wider globs take in what a narrower one took in, by samples. */
function isCovered(glob: string, wide: readonly string[]): boolean {
  if (!/^[\w./*{},@()|?+!-]+$/u.test(glob)) return false
  const variants = /\{([^{}]*)\}/u
    .exec(glob)?.[1]
    ?.split(',')
    .map((part) => glob.replace(/\{[^{}]*\}/u, part)) ?? [glob]
  const folder = /\.\w+$|\*$/u.test(glob) ? [] : ['/sample.test.ts', '/deep/sample.test.js']
  const samples = variants.flatMap((one) => {
    const plain = one.replaceAll(/[?@*+!]\(([^)|]*)[^)]*\)/gu, '$1').replaceAll('?', '')
    const bases = [
      plain.replaceAll('**/', '').replaceAll('*', 'sample'),
      plain.replaceAll('**/', 'a/b/').replaceAll('*', 'sample'),
    ]
    return folder.length === 0
      ? bases
      : bases.flatMap((base) => folder.map((end) => `${base.replace(/\/$/u, '')}${end}`))
  })
  const matches = wide.map((entry) =>
    picomatch(/\.\w+$|\*$|\}$/u.test(entry) ? entry : `${entry.replace(/\/$/u, '')}/**`, { dot: true }),
  )
  return samples.every((sample) => matches.some((match) => match(sample.replace(/^\.\//u, ''))))
}

const skipLibraries: Rule = (key, then, now) =>
  isTrue(now) && !isTrue(then)
    ? { rule: 'scope.narrowed', message: `${key} is on`, atMost: 'note' }
    : undefined

const wrapped: Rule = (key, then, now) => {
  if (now === undefined) return undefined
  const added = listOf(now).filter((entry) => !listOf(then).includes(entry))
  if (added.length === 0) return undefined
  const isLocal = added.some((entry) => /(?:^|["' ])(?:\.{1,2}\/|<rootDir>)/u.test(entry))
  const isResult = /reporter|serializer|resolver|runner/iu.test(key)
  // A plugin that is written out here can rewrite every file, the tests too.
  const isRewriting = /plugins\.\d+\.(?:transform|load|resolveId)$/u.test(key)
  return {
    rule: 'runner.wrapped',
    message: `${key} is ${show(now)} now`,
    ...(isRewriting ||
    (isLocal && !isResult && /transform|require|import|preload|testEnvironment|node/iu.test(key))
      ? {}
      : { atMost: 'note' }),
  }
}

function isTrue(value: SettingValue | undefined): boolean {
  return value === true || /^(?:true|on|yes|1)$/iu.test(String(value))
}

function isFalse(value: SettingValue | undefined): boolean {
  return value === false || /^(?:false|off|no|0)$/iu.test(String(value))
}

function listOf(value: SettingValue | undefined): readonly string[] {
  if (value === undefined || value === null || typeof value === 'boolean') return []
  if (typeof value === 'object') return value
  const text = String(value)
  return /[{()'"`]/u.test(text) ? [text] : text.split(/[\s,]+/u).filter((entry) => entry !== '')
}

function show(value: SettingValue | undefined): string {
  if (value === undefined) return 'not set'
  const text = typeof value === 'object' && value !== null ? `[${value.join(', ')}]` : String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
