import { readingOf, unreadable, type Reading, type TestResult } from '../report.ts'

const testLine = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:,.*)?$/
const summaryLine =
  /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out/

/**
 * What `cargo test` prints, one block for every test program and one for the examples in the documentation. Where the
 * lines and the summary of a block do not agree (a test wrote between them, or the block is not whole) nothing is read.
 */
export function readCargo(text: string): Reading {
  const tests: TestResult[] = []
  let block: TestResult[] | undefined
  let program = ''
  let blocks = 0
  for (const line of text.split('\n')) {
    program =
      /^\s+Running (?:unittests )?(\S+)/.exec(line)?.[1] ?? /^\s+Doc-tests (\S+)/.exec(line)?.[1] ?? program
    if (/^running \d+ tests?$/.test(line)) block = []
    const test = testLine.exec(line)
    if (test?.[1] !== undefined && block !== undefined) block.push(resultOf(program, test[1], test[2]))
    const summary = summaryLine.exec(line)
    if (summary === null || block === undefined) continue
    if (!agrees(block, summary)) return unreadable('its lines and its summary do not agree')
    tests.push(...block)
    blocks += 1
    block = undefined
  }
  if (block !== undefined) return unreadable('its last test program did not come to its end')
  return blocks === 0 ? unreadable('it holds no results of cargo test') : readingOf('cargo', tests)
}

function resultOf(program: string, test: string, word: string | undefined): TestResult {
  const name = program === '' ? test : `${program} > ${test}`
  return { name, status: word === 'ok' ? 'passed' : word === 'ignored' ? 'skipped' : 'failed' }
}

function agrees(block: readonly TestResult[], [, passed, failed, ignored]: RegExpExecArray): boolean {
  const count = (status: TestResult['status']) => block.filter((test) => test.status === status).length
  return (
    count('passed') === Number(passed) &&
    count('failed') === Number(failed) &&
    count('skipped') === Number(ignored)
  )
}
