import type { FileChange } from './change.ts'
import type { TamperFinding } from './rules.ts'
import { conventionOf } from '../protect/index.ts'

/**
 * What no honest commit does to the check side: donecheck's own configuration or record, permissions taken from a check, and a
 * command of a check that runs a part of the tests. Refused outright.
 */
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
  // Of data the bit says nothing.
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

/** Options of runners that leave out all tests but those of a name. */
const filter =
  /\s(?:--?(?:testNamePattern|test-name-pattern|grep|fgrep|only|test-only|run|filter)\b|-[tkg](?=\s))(?:[=\s]+(?:"[^"]*"|'[^']*'|\\"[^"\\]*\\"|[^\s"',]+))?/gu

/** A command that was there, and has a filter of names now. */
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
