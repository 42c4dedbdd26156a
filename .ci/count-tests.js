/**
 * Prints `N passed, N failed, N skipped` from the JSON report of vitest. Exits 1 where a test failed and where nothing
 * was counted: no report, a report that cannot be read, no test at all.
 */
import { readFileSync } from 'node:fs'

const [, , reportPath] = process.argv

/** A file that could not be loaded has no tests of its own: it counts as one that failed. */
function countTests(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

function readCounts() {
  try {
    return countTests(JSON.parse(readFileSync(reportPath, 'utf8')))
  } catch (error) {
    console.error(`the tests did not report (${error.message}): verify ended before them, or they crashed`)
    return undefined
  }
}

const counts = readCounts()
if (counts !== undefined) {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
}
process.exitCode = counts === undefined || counts.failed > 0 || counts.passed === 0 ? 1 : 0
