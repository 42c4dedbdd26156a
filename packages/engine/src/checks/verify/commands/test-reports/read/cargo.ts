import { given } from '../../../../../base/index.ts'
import { readingOf, unreadable, type Reading, type TestResult } from '../report.ts'

const testLine = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:,.*)?$/
const summaryLine =
  /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out/

/**
 * What `cargo test` prints, one block for every test program and one for the examples in the documentation. Nothing is read
 * if the lines and the summary of a block do not agree, because a test wrote between them, or if a block has no summary.
 */
export function readCargo(text: string): Reading {
  const tests: TestResult[] = []
  let block: TestResult[] | undefined
  let program = ''
  let blocks = 0
  for (const line of text.split('\n')) {
    program =
      /^\s+Running (?:unittests )?(\S+)/.exec(line)?.[1] ?? /^\s+Doc-tests (\S+)/.exec(line)?.[1] ?? program
    if (/^running \d+ tests?$/.test(line)) {
      if (block !== undefined) return unreadable(unended)
      block = []
    }
    const test = testLine.exec(line)
    if (test?.[1] !== undefined && block !== undefined) block.push(resultOf(program, test[1], test[2]))
    const summary = summaryLine.exec(line)
    if (summary === null || block === undefined) continue
    if (!agrees(block, summary)) return unreadable('its lines and its summary do not agree')
    tests.push(...block.map((one) => withPanic(one, text)))
    blocks += 1
    block = undefined
  }
  if (block !== undefined) return unreadable(unended)
  return blocks === 0 ? unreadable('it holds no results of cargo test') : readingOf('cargo', tests)
}

const unended = 'a test program of it did not come to its end'

/** With what it printed when it failed, which stands under its own name: the panic, without the stack. */
function withPanic(test: TestResult, text: string): TestResult {
  if (test.status !== 'failed') return test
  const title = test.name.split(' > ').at(-1) ?? test.name
  const start = text.indexOf(`\n---- ${title} stdout ----\n`)
  if (start < 0) return test
  const [, said = ''] = text.slice(start + 1, start + maxPanicLength).split(' stdout ----\n')
  const message = said.split(/\n(?:---- |stack backtrace:|note: run with|failures:$)/m)[0]?.trim() ?? ''
  const place = /panicked at (?:'.*', )?(\S+\.rs):(\d+)/s.exec(message)
  const [, file, line] = place ?? []
  return { ...test, ...given({ file, line: line === undefined ? undefined : Number(line) }), message }
}

const maxPanicLength = 4_000

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
