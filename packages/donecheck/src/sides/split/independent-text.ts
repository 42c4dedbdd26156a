/** Files that have parts of both sides, and how one of them is put together for the independent tree. */
import { mergeJson } from './json-keys.ts'
import { mergeLines } from './line-parts.ts'
import { mergeRust } from './rust-tests.ts'
import { mergeSections } from './sections.ts'
import { canSuppress, withoutNewSuppressions } from './suppressions.ts'

type Merge = (before: string, after: string) => string | undefined

const splitByName: readonly (readonly [RegExp, Merge])[] = [
  [/(?:^|\/)package\.json$/u, (before, after) => mergeJson(before, after, 'package.json')],
  [/(?:^|\/)composer\.json$/u, (before, after) => mergeJson(before, after, 'composer.json')],
  [/(?:^|\/)pyproject\.toml$/u, (before, after) => mergeSections(before, after, 'pyproject.toml')],
  [/(?:^|\/)setup\.cfg$/u, (before, after) => mergeSections(before, after, 'setup.cfg')],
  [/(?:^|\/)Cargo\.toml$/u, (before, after) => mergeSections(before, after, 'Cargo.toml')],
  [/(?:^|\/)go\.mod$/u, (before, after) => mergeLines(before, after, 'go.mod')],
  [/(?:^|\/)requirements[\w.-]*\.txt$/u, (before, after) => mergeLines(before, after, 'requirements.txt')],
]

/** Whether a file of this name has parts of both sides whatever it holds. */
export function isSplitByName(path: string): boolean {
  return splitByName.some(([pattern]) => pattern.test(path))
}

/**
 * Of a file with both sides: the text that stands in the independent tree, which is the product parts as delivered and the
 * check parts as they were. Equal to `after` where no check part changed. Undefined: it cannot be split, so that the whole
 * file counts as check side.
 */
export function independentText(
  path: string,
  before: string | null,
  after: string | null,
): string | undefined {
  const merge = mergeOf(path)
  if (merge === undefined || after === null) return undefined
  if (before === after) return after
  const text = merge(before ?? '', after)
  // A text that is not read the same way again is broken, and was not understood.
  return text !== undefined && merge(before ?? '', text) === text ? text : undefined
}

function mergeOf(path: string): Merge | undefined {
  if (!canSuppress(path)) return splitByName.find(([pattern]) => pattern.test(path))?.[1]
  return (before, after) => {
    const text = path.endsWith('.rs') ? mergeRust(before, after) : after
    return text === undefined ? undefined : withoutNewSuppressions(path, before, text)
  }
}
