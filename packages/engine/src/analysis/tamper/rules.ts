import { conventionOf } from '../protect/index.ts'

const reasons = {
  'test.narrowed': 'A command that names some tests leaves all the others out.',
  'scope.narrowed': 'What is left out of a check cannot fail it.',
  'check-script.changed': 'The check is no longer the one that was agreed on.',
  'config.donecheck-changed': 'It is where the rules of this run are written.',
  'permissions.changed': 'A check that may not be executed is not run.',
} as const

export type TamperRule = keyof typeof reasons

export const tamperRules: readonly TamperRule[] = Object.keys(reasons).filter(isRule)

function isRule(name: string): name is TamperRule {
  return Object.hasOwn(reasons, name)
}

export function whyOf(rule: TamperRule): string {
  return reasons[rule]
}

export interface TamperFinding {
  readonly rule: TamperRule
  /** Relative to the work folder with `/`; absolute for a script outside it. */
  readonly path: string
  /** From 1, in the new text, or in the old one if removed. */
  readonly line?: number
  readonly message: string
  /** Common in honest work: at most a note. */
  readonly atMost?: 'note'
}

export interface FileVersion {
  readonly kind: 'file' | 'symlink'
  /** SHA-256 of the content (of the target, for a symlink), hex. */
  readonly digest: string
  readonly mode: number
  /** The content or symlink target; null if not UTF-8 or over 1 MiB. */
  readonly text: string | null
}

export interface FileChange {
  readonly path: string
  readonly before: FileVersion | null
  readonly after: FileVersion | null
}

const chance =
  /random|\brand(?:int|n|range)?\s*\(|uuid|nanoid|\bsecrets\.|Date\.now|new Date\(\s*\)|performance\.now|hrtime|perf_counter|monotonic|\btime(?:_ns)?\(\s*\)|datetime\.(?:now|utcnow)|time\.Now|SystemTime|Instant::now|getpid|process\.pid/iu

/** Whether a new line uses randomness, the time or a process id. */
export function asksForChance(before: string, after: string): boolean {
  if (!chance.test(after)) return false
  const known = new Set(before.split('\n'))
  return after.split('\n').some((line) => chance.test(line) && !known.has(line))
}

/** Finds changes no honest commit makes: donecheck's settings, permissions, filters that skip tests. */
export function findRefusedChanges(changes: readonly FileChange[]): readonly TamperFinding[] {
  return changes.flatMap((change) => [...ownSettings(change), ...permissions(change), ...filters(change)])
}

function ownSettings({ path, before, after }: FileChange): readonly TamperFinding[] {
  if (conventionOf(path) !== 'donecheck-config' || before?.digest === after?.digest) return []
  const what = after === null ? 'is gone' : before === null ? 'is new' : 'changed'
  return [{ rule: 'config.donecheck-changed', path, message: `the settings of donecheck: this file ${what}` }]
}

function permissions({ path, before, after }: FileChange): readonly TamperFinding[] {
  if (before?.kind !== 'file' || after?.kind !== 'file') return []
  const lost = before.mode & ~after.mode
  // The bit means nothing for data.
  const isProgram = before.text?.startsWith('#!') === true || programs.includes(conventionOf(path))
  const isUnrunnable = (lost & 0o111) !== 0 && (after.mode & 0o100) === 0 && isProgram
  return [...((lost & 0o400) === 0 ? [] : ['read']), ...(isUnrunnable ? ['executed'] : [])].map((what) => ({
    rule: 'permissions.changed',
    path,
    message: `it may no longer be ${what}`,
  }))
}

const programs: readonly (string | undefined)[] = ['check-script', 'git-hook']

const ofSettings: readonly (string | undefined)[] = ['manifest', 'test-config', 'check-script', 'ci']

/** Runner options that select tests by name. */
const filter =
  /\s(?:--?(?:testNamePattern|test-name-pattern|grep|fgrep|only|test-only|run|filter)\b|-[tkg](?=\s))(?:[=\s]+(?:"[^"]*"|'[^']*'|\\"[^"\\]*\\"|[^\s"',]+))?/gu

/** An existing command that now filters by name. */
function filters({ path, before, after }: FileChange): readonly TamperFinding[] {
  if (before?.kind !== 'file' || after?.kind !== 'file' || !ofSettings.includes(conventionOf(path))) return []
  const known = new Set(linesOf(before.text))
  return linesOf(after.text).flatMap((line, index): readonly TamperFinding[] => {
    const without = line.replaceAll(filter, '')
    if (known.has(line) || without === line || !known.has(without)) return []
    return [
      { rule: 'test.narrowed', path, line: index + 1, message: `\`${line}\` runs only a part of the tests` },
    ]
  })
}

function linesOf(text: string | null): readonly string[] {
  return (text ?? '').split('\n').map((line) => line.trim())
}
