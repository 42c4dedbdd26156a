/** What of the baseline tree an author is shown: bounded, the likeliest first, nothing that looks like a secret. */
import type { TextFile, TreeExcerpt } from './author.ts'

interface ExcerptSource {
  readonly task: string
  readonly paths: readonly string[]
  readonly checks: readonly string[]
  /** Null: it is not shown. */
  readonly read: (path: string) => string | null
}

const maxPaths = 400
const maxCharacters = 60_000
const maxFileCharacters = 8_000
const maxFilesRead = 200

const manifest =
  /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Makefile|README[^/]*|[^/]+\.gemspec)$/u
const asset = /\.(?:png|jpe?g|gif|svg|ico|woff2?|ttf|pdf|zip|gz|lock|min\.[cm]?js|map)$|(?:^|\/)[^/]*-lock\./u

export function excerptOf({ task, paths, checks, read }: ExcerptSource): TreeExcerpt {
  const words = new Set(task.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
  const ranked = paths
    .filter((path) => !secret.test(path) || example.test(path))
    .map((path) => ({ path, rank: rankOf(path, task, words) }))
    .toSorted((one, other) => other.rank - one.rank || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path)
  const listed = ranked.slice(0, maxPaths)
  return {
    paths: listed,
    omittedPaths: paths.length - listed.length,
    files: readBounded(
      ranked.filter((path) => !asset.test(path)),
      read,
    ),
    checks,
  }
}

/** Named in the task, sharing its words, a manifest; what lies deep is rarely meant. */
function rankOf(path: string, task: string, words: ReadonlySet<string>): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isNamed = task.includes(path) || (name.length > 3 && task.includes(name))
  const shared = (path.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []).filter((word) => words.has(word))
  const depth = path.split('/').length
  return (isNamed ? 100 : 0) + 10 * shared.length + (manifest.test(path) && depth === 1 ? 20 : 0) - depth
}

function readBounded(paths: readonly string[], read: ExcerptSource['read']): readonly TextFile[] {
  const files: TextFile[] = []
  let left = maxCharacters
  for (const path of paths.slice(0, maxFilesRead)) {
    if (left <= 0) break
    const text = read(path)?.slice(0, Math.min(left, maxFileCharacters))
    if (text === undefined) continue
    files.push({ path, text })
    left -= text.length
  }
  return files
}

/** Files whose content is not sent to anybody. */
const secret =
  /(?:^|\/)(?:\.env(?:\.[^/]*)?|\.npmrc|\.netrc|\.pypirc|id_[a-z\d]+|credentials[^/]*)$|\.(?:pem|key|p12|pfx|keystore|jks)$/iu
const example = /\.(?:example|sample|template)$/iu
