import { basename } from 'node:path'
import type { TamperFinding } from '../../tamper/index.ts'
import type { Marks } from '../snapshot/manifest.ts'
import { compareMarks, type MarkChange } from './compare-marks.ts'

/** Programs that a check calls by their bare names: one in `node_modules/.bin` comes before them. */
const calledByName =
  /^(sh|bash|dash|env|node|npm|npx|yarn|pnpm|bun|corepack|git|make|cmake|python3?|pip3?|pytest|tox|uv|go|cargo|mvn|gradle|java|ruby|rake|rspec|php|phpunit|dotnet|true|test|grep|cat|diff|vitest|jest|mocha|ava|tap|c8|nyc|eslint|tsc|prettier|playwright)$/

/**
 * Installed runners that are other ones now although their version is the same. An update is noted, no more.
 * @param isUpdate whether the package at this path, or the one behind this program, came with the lock file
 */
export function runnerFindings(
  before: Marks,
  now: Marks,
  isUpdate: (path: string) => boolean,
): readonly TamperFinding[] {
  const found = new Map<string, TamperFinding>()
  for (const change of compareMarks(before, now)) {
    const finding = findingOf(change, before, now, isUpdate)
    if (finding !== undefined && !found.has(`${finding.rule} ${finding.path}`))
      found.set(`${finding.rule} ${finding.path}`, finding)
  }
  return [...found.values()]
}

function findingOf(
  change: MarkChange,
  before: Marks,
  now: Marks,
  isUpdate: (path: string) => boolean,
): TamperFinding | undefined {
  const place = placeOf(change.name)
  const isNew = !Object.keys(before).some((name) => placeOf(name) === place)
  if (isProgram(change.name)) return programFinding(change, isNew, isUpdate)
  // A whole package that came or went is no swap of a runner: its program would tell.
  if (isNew) return undefined
  const manifest = `${place}/package.json`
  const isOtherVersion = before[manifest] !== now[manifest]
  return {
    rule: 'runner.replaced',
    path: place,
    message: `${place} was changed: ${change.name} ${words[change.kind]} since the run began`,
    ...(isOtherVersion && isUpdate(place) ? { atMost: 'note' } : {}),
  }
}

function programFinding(
  change: MarkChange,
  isNewFolder: boolean,
  isUpdate: (path: string) => boolean,
): TamperFinding | undefined {
  const { name, kind } = change
  const isCalled = calledByName.test(basename(name))
  if (kind === 'appeared' && (isNewFolder || !isCalled)) return undefined
  return {
    rule: kind === 'appeared' ? 'runner.wrapped' : 'runner.replaced',
    path: name,
    message: `${name} ${words[kind]} since the run began${kind === 'appeared' ? ': it stands before the program of that name' : ''}`,
    ...(isUpdate(name) ? { atMost: 'note' } : {}),
  }
}

const words = { appeared: 'was added', changed: 'was changed', gone: 'was removed' } as const

function isProgram(name: string): boolean {
  return /(^|\/)(node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/.test(name)
}

/** The package of a file: what stands after the last folder of packages; of a program, the folder of programs. */
function placeOf(name: string): string {
  const match = /^(.*(?:node_modules|site-packages)\/(?:@[^/]+\/)?[^/]+|.*\.?venv\/bin)(\/|$)/.exec(name)
  return match?.[1] ?? name
}
