/** Code that asks whether it is tested. */
import type { TamperFinding } from '../finding.ts'
import type { ComparedFile } from './compared-file.ts'

const javascript =
  /\b(?:process|meta)\.env(?:\.|\[['"])(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT|TAP|MOCHA|AVA_PATH|PLAYWRIGHT_TEST|TEST_WORKER_INDEX)\w*|\btypeof (?:describe|it|test|expect|jest|vi|mocha)\b|\bglobalThis\.(?:describe|it|test|expect|jest|vi|__vitest\w*)\b|\.stack\b.*\b(?:test|spec|vitest|jest|mocha)\b/gu
const python =
  /['"](?:pytest|unittest|_pytest|nose)['"] (?:not )?in sys\.modules|sys\.modules\.get\(['"](?:pytest|unittest)|\bPYTEST_(?:CURRENT_TEST|VERSION|XDIST_WORKER)\b|\b(?:inspect\.stack|inspect\.currentframe|sys\._getframe|traceback\.extract_stack)\(|\bsys\.argv\b.*\b(?:pytest|unittest)\b/gu
const go =
  /\bflag\.Lookup\("test\.|\btesting\.Testing\(\)|\bHasSuffix\(os\.Args\[0\], "\.test|\bos\.Args\b.*"-?-?test\.|\bruntime\.Callers?\(.*_test|"_test\.go"/gu

/**
 * Words of a runner in code that is no test, where the untouched tree had fewer of them. Code that hides the question
 * (a name put together from pieces, a file that only tests have) is not seen.
 */
export function testAwareness(files: readonly ComparedFile[]): readonly TamperFinding[] {
  const known = files.flatMap(({ path, beforeText }) => asked(path, beforeText).map(({ text }) => text))
  return files
    .filter(({ protection, after }) => protection === undefined && after !== null)
    .flatMap(({ path, afterText }) =>
      asked(path, afterText).flatMap(({ line, text }): readonly TamperFinding[] => {
        const index = known.indexOf(text)
        if (index !== -1) known.splice(index, 1)
        if (index !== -1) return []
        return [{ rule: 'source.test-aware', path, line, message: `\`${text}\` asks whether it is tested` }]
      }),
    )
}

function asked(path: string, text: string): readonly { readonly line: number; readonly text: string }[] {
  const pattern = patternFor(path)
  if (pattern === undefined) return []
  return text.split('\n').flatMap((row, index) => {
    if (/^\s*(?:\/\/|\/?\*|#)/u.test(row)) return []
    return [...row.matchAll(pattern)].map(([found]) => ({ line: index + 1, text: found.slice(0, 100) }))
  })
}

function patternFor(path: string): RegExp | undefined {
  if (/\.[cm]?[jt]sx?$/u.test(path)) return javascript
  if (path.endsWith('.py')) return python
  return path.endsWith('.go') ? go : undefined
}
