/** Which comparison fits which protected file that is no test. */
import type { FileChange } from '../change.ts'
import { matchesAny, type Protection, type ProtectOptions } from '../../protect/index.ts'
import type { ConfigFinding } from './config-finding.ts'
import { compareHook } from './hooks.ts'
import { compareBuild, compareEnvironment, compareGoModule, compareIgnore } from './list-files.ts'
import { comparePackageJson } from './package-json.ts'
import { comparePipeline } from './pipeline.ts'
import { compareMakefile, compareScript } from './script.ts'
import { compareSettingsFile } from './settings-file.ts'

export function compareConfig(
  change: FileChange,
  protection: Protection,
  changes: readonly FileChange[],
  options: ProtectOptions,
): readonly ConfigFinding[] {
  const { path, before, after } = change
  if (isUnreadable(change)) {
    return /^(?:test|test-helper|snapshot|fixture|lock)$/u.test(protection)
      ? []
      : [{ rule: 'check-script.changed', message: 'it cannot be compared: it is too long or no text' }]
  }
  const then = before?.kind === 'file' ? before.text : null
  const now = after?.kind === 'file' ? after.text : null
  if (then !== null && now !== null && isEqual(then, now)) return []
  switch (protection) {
    case 'manifest':
      return manifest(path, then, now, options)
    case 'test-config':
    case 'lint-config':
    case 'type-config':
      return settings(path, then, now)
    case 'check-script':
      return script(path, then, now)
    case 'ci':
      return then === null ? [] : comparePipeline(then, now)
    case 'git-hook':
      return compareHook(then, now)
    case 'ignore':
      return compareIgnore(path, then ?? '', now ?? '')
    case 'lock':
      return lock(path, changes, now)
    case 'donecheck-config':
      return [
        {
          rule: 'config.donecheck-changed',
          message: now === null ? 'it is gone' : then === null ? 'it is new' : 'it changed',
        },
      ]
    case 'extra':
      return extra(path, then, now, options)
    case 'test':
    case 'test-helper':
    case 'snapshot':
    case 'fixture':
      return []
  }
}

function isUnreadable({ before, after }: FileChange): boolean {
  const isLost = (version: FileChange['before']) => version?.kind === 'file' && version.text === null
  return isLost(before) || isLost(after)
}

/** Line ends, blank lines and what stands at the ends of lines change nothing. */
function isEqual(then: string, now: string): boolean {
  const plain = (text: string) =>
    text
      .replace(/^\u{feff}/u, '')
      .replaceAll(/[^\S\n]+$/gmu, '')
      .replaceAll(/\n{2,}/gu, '\n')
      .trim()
  return plain(then) === plain(now)
}

function manifest(
  path: string,
  then: string | null,
  now: string | null,
  options: ProtectOptions,
): readonly ConfigFinding[] {
  if (then === null) return []
  if (now === null)
    return /requirements|setup\.py|Pipfile/u.test(path)
      ? []
      : [{ rule: 'check-script.changed', message: 'the manifest is gone' }]
  if (path.endsWith('package.json')) return comparePackageJson(then, now, options)
  if (/go\.(?:mod|work)$/u.test(path)) return compareGoModule(then, now)
  if (/(?:pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml|deno\.jsonc?)$/u.test(path)) {
    return [
      ...compareSettingsFile(path, then, now),
      ...(path.endsWith('Cargo.toml') ? compareBuild(then, now) : []),
    ]
  }
  return compareBuild(then, now)
}

function settings(path: string, then: string | null, now: string | null): readonly ConfigFinding[] {
  if (/(?:sitecustomize|usercustomize)\.py$|\.pth$/u.test(path)) {
    return now === null
      ? []
      : [{ rule: 'runner.wrapped', message: 'it runs whenever the interpreter starts' }]
  }
  if (/(?:\.npmrc|\.yarnrc(?:\.yml)?|\.env[\w.]*|\.envrc|pip\.conf)$/u.test(path))
    return compareEnvironment(path, then ?? '', now ?? '')
  if (/\.pnpmfile\.cjs$|vendor\/modules\.txt$/u.test(path))
    return [{ rule: 'runner.wrapped', message: 'it decides which packages are used', atMost: 'note' }]
  if (/\.(?:py|rb)$/u.test(path)) return conftest(path, then, now)
  if (/phpunit\.xml|\.runsettings$|testng\.xml|(?:checkstyle|detekt)\.\w+$/u.test(path))
    return then === null || now === null ? [] : compareBuild(then, now)
  if (path.endsWith('.rspec')) return compareEnvironment(path, then ?? '', now ?? '')
  if (isSetup(path)) return []
  return compareSettingsFile(path, then, now)
}

/** Code, not settings: what it does is read by syntax. */
function isSetup(path: string): boolean {
  return (
    /(?:setup|globals?|reporter|environment|test-?env|shims)[\w.-]*\.[cm]?[jt]sx?$/iu.test(path) &&
    !/\.(?:config|conf)\./u.test(path)
  )
}

function conftest(path: string, then: string | null, now: string | null): readonly ConfigFinding[] {
  if (now !== null || then === null || !/noxfile|conftest|helper/u.test(path)) return []
  return [{ rule: 'scope.narrowed', message: 'it is gone, with all that tests take from it' }]
}

function script(path: string, then: string | null, now: string | null): readonly ConfigFinding[] {
  if (then === null) return shadowing(path)
  if (now === null) return [{ rule: 'check-script.changed', message: 'it is gone' }]
  return /(?:akefile|\.mk)$/u.test(path) ? compareMakefile(then, now) : compareScript(path, then, now)
}

/** make reads GNUmakefile before makefile before Makefile. */
function shadowing(path: string): readonly ConfigFinding[] {
  return /(?:^|\/)(?:GNUmakefile|makefile)$/u.test(path)
    ? [{ rule: 'check-script.changed', message: 'make reads it instead of the Makefile' }]
    : []
}

function lock(path: string, changes: readonly FileChange[], now: string | null): readonly ConfigFinding[] {
  if (now === null) return [{ rule: 'runner.replaced', message: 'the lock file is gone', atMost: 'note' }]
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const withManifest = changes.some(
    (other) =>
      other.path.startsWith(folder) &&
      /(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Gemfile|composer\.json|Pipfile)$/u.test(
        other.path,
      ),
  )
  return withManifest
    ? []
    : [{ rule: 'runner.replaced', message: 'it changed although no manifest did', atMost: 'note' }]
}

/** Protected by the user's own glob: code is compared as tests are, everything else as a whole. */
function extra(
  path: string,
  then: string | null,
  now: string | null,
  options: ProtectOptions,
): readonly ConfigFinding[] {
  if (!matchesAny(path, options.protect) || then === null) return []
  if (now === null) return [{ rule: 'check-script.changed', message: 'a protected file is gone' }]
  const hasReader = /\.(?:[cm]?[jt]sx?|py|go|rb|rs|java|kts?|cs|php)$/u.test(path)
  return hasReader ? [] : [{ rule: 'check-script.changed', message: 'a protected file changed' }]
}
