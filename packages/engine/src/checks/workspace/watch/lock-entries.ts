/** What lock files say of one installed package. */
import type { InstalledPackage } from './package-version.ts'

/** What a lock file says of the content of a package: where it is from, or a digest of it. */
const seal =
  /(?<![\w./-])(?:resolved|checksum|tarball|commit)["']?[ \t]*[: ][ \t]*["']?([^\s"',}\]]+)|(?<![\w./-])(sha\d{1,3}[-:][\w+/=]+)/g
/** Where what is said of the next package begins, in one format or another. */
const nextEntry = /\n[ \t]*\r?\n|\n\[\[|"version"|"node_modules\//g
const maxEntryLength = 20_000

/**
 * Whether the package came with this change of a lock file: it stands there now in this version and did not before. In a file
 * with seals those of the package are others, too, because another version has other content.
 */
export function isNewInLock(found: InstalledPackage, then: string, now: string): boolean {
  const pattern = entryPattern(found)
  const [known, seals] = [sealsIn(then), sealsIn(now)]
  if (known.length === 0 && seals.length === 0)
    return now.search(pattern) !== -1 && then.search(pattern) === -1
  const earlier = new Set(known)
  const isSealed = (entry: readonly string[]): boolean => entry.length > 0
  return (
    !sealsOfEntries(then, pattern).some(isSealed) &&
    sealsOfEntries(now, pattern).some((entry) => isSealed(entry) && entry.every((one) => !earlier.has(one)))
  )
}

/** A name, and not far behind it the version. */
function entryPattern({ name, version }: InstalledPackage): RegExp {
  return new RegExp(
    `(?<![\\w-])${packageNamePattern(name)}(?![\\w-])[^\\n]{0,1000}\\n?[^\\n]{0,200}?(?<![\\w.])${escapePattern(version)}(?![\\w.-])`,
    'gi',
  )
}

/** The source of a pattern for a name, however its parts are joined. */
export function packageNamePattern(name: string): string {
  return escapePattern(name).replaceAll(/\\[-.]|_/g, '[-_.]')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&')
}

function sealsOfEntries(text: string, pattern: RegExp): readonly (readonly string[])[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const rest = text.slice(index + length, index + length + maxEntryLength)
    const end = rest.search(nextEntry)
    return sealsIn(text.slice(index, index + length) + (end === -1 ? rest : rest.slice(0, end)))
  })
}

function sealsIn(text: string): readonly string[] {
  return [...text.matchAll(seal)].map(([, place, digest]) => place ?? digest ?? '')
}
