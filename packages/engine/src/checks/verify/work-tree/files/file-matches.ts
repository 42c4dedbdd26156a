import { UsageError, assertKnownKeys, type OptionKeys, given } from '../../../../base/index.ts'
import type { Verifier } from '../../../../ports/checks.ts'
import { showValue, failedReport, passedReport, undecidedReport } from '../../reports/reports.ts'
import { contains } from '../../texts/text/text-checks.ts'
import type { Pattern } from '../../texts/text/pattern.ts'
import { inputsOf, type FormedCheckOptions } from '../../texts/text/source.ts'
import { verifierBy, type UserVerifier, namedKeys } from '../../reports/verifier-of.ts'
import { digestFile } from './read-file.ts'
import { relativePath } from './relative-path.ts'

export type FileMatchesOptions = Omit<FormedCheckOptions, 'source'>

const fileMatchesKeys: OptionKeys<FileMatchesOptions> = {
  ...namedKeys,
  matchTimeoutMs: true,
  caseSensitive: true,
  whitespace: true,
}

/** The whole content has this digest, hex. */
export interface FileDigest {
  readonly sha256: string
}

/**
 * A file of the work folder has the pattern in it (at most 10 MiB of UTF-8), or has exactly the content with the digest
 * (any size). A missing file, and one that a symlink puts outside of the folder, are `failed`; one that cannot be read
 * is `error`.
 * @throws {UsageError} for a path out of the folder, an empty pattern, or a digest that is none
 */
export function fileMatches(
  path: string,
  expected: Pattern | FileDigest,
  options: FileMatchesOptions = {},
): Verifier {
  assertKnownKeys(options, fileMatchesKeys, 'fileMatches')
  if (typeof expected !== 'object' || expected instanceof RegExp)
    return contains(expected, { ...options, source: { file: path } })
  return hasDigest(relativePath(path), expected, options)
}

function hasDigest(path: string, { sha256 }: FileDigest, options: FileMatchesOptions): Verifier {
  const named: unknown = sha256
  if (typeof named !== 'string' || !/^[0-9a-f]{64}$/i.test(named))
    throw new UsageError(`sha256 is ${showValue(named)}; give the 64 hex digits of the file's SHA-256`)
  const wanted = named.toLowerCase()
  const ask: UserVerifier = async ({ workFolder }, signal) => {
    if (workFolder === null) return undecidedReport(`${path} has no work folder to be in; give the run one`)
    const seen = await digestFile(workFolder, path, signal)
    if (seen.kind === 'not-seen') return seen.report
    const { digest } = seen.evidence
    if (digest === wanted) return passedReport(`${path} has the expected content`, seen.evidence)
    return failedReport(`${path} has other content: its SHA-256 is ${digest ?? 'unknown'}`, seen.evidence)
  }
  const inputs = inputsOf({ file: path }, { kind: 'fileMatches', path, sha256: wanted })
  return {
    ...verifierBy(options.name ?? `SHA-256 of ${path}`, ask, { ...options, looksAt: 'work-folder' }),
    ...given({ inputs }),
  }
}
