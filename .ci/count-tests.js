/**
 * Prints `N passed, N failed, N skipped` from JSON reports of vitest, summed. Where a report has one beside it with `.again` in its
 * name, of files that were asked once more, that one counts for these files. Exits 1 where a test failed and where nothing was
 * counted: no report, a report that cannot be read, no test at all. With `--failed REPORT` it prints the files with a failure.
 */
import { existsSync, readFileSync } from 'node:fs'

const readFiles = (path) => JSON.parse(readFileSync(path, 'utf8')).testResults

/** A file that could not be loaded has no tests of its own: it counts as one that failed. */
function countFile({ status, assertionResults }) {
  const count = (...kinds) => assertionResults.filter((result) => kinds.includes(result.status)).length
  const failed = count('failed')
  return {
    passed: count('passed'),
    failed: status === 'failed' ? Math.max(1, failed) : failed,
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
  }
}

function countReport(path) {
  const again = new Map(
    (existsSync(`${path}.again`) ? readFiles(`${path}.again`) : []).map((file) => [file.name, file]),
  )
  return readFiles(path).map((file) => countFile(again.get(file.name) ?? file))
}

function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

function printCounts(reportPaths) {
  const { passed, failed, skipped } = reportPaths
    .flatMap(countReport)
    .reduce(sum, { passed: 0, failed: 0, skipped: 0 })
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed > 0 || passed === 0 ? 1 : 0
}

const [, , ...words] = process.argv
try {
  if (words[0] === '--failed') {
    const failed = readFiles(words[1]).filter((file) => countFile(file).failed > 0)
    console.log(failed.map(({ name }) => name).join('\n'))
  } else process.exitCode = printCounts(words)
} catch (error) {
  console.error(`the tests did not report (${error.message}): the run ended before them, or they crashed`)
  process.exitCode = 1
}
