import { plural, seconds, xmlElement, xmlText } from '@donecheck/engine/display'
import { caseKinds } from './case.ts'
import { faults } from './judge.ts'
import type { CaseResult } from './run.ts'

export function formatResult({ case: one, reported, turns, problems, durationMs }: CaseResult): string {
  const facts = `${reported.end}, ${plural(turns, 'turn')}, ${seconds(durationMs)}`
  const details = problems.map(({ fault, message }) => `\n       ${fault}: ${message}`).join('')
  return `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${formatCaseName(one)} (${facts})${details}`
}

export function formatCaseName({ kind, name }: CaseResult['case']): string {
  return `${kind}: ${name}`
}

/** Builds rows of passes and problems by kind of case, after a header row. */
export function buildTable(results: readonly CaseResult[]): readonly (readonly string[])[] {
  const kinds = caseKinds.filter((kind) => results.some((result) => result.case.kind === kind))
  const rows = kinds.map((kind) =>
    buildRow(
      kind,
      results.filter((result) => result.case.kind === kind),
    ),
  )
  return [['', 'right', ...faults], ...rows, buildRow('all', results)]
}

function buildRow(name: string, results: readonly CaseResult[]): readonly string[] {
  const right = results.filter(({ problems }) => problems.length === 0).length
  const counts = faults.map((fault) => {
    const count = results.filter(({ problems }) => problems.some((one) => one.fault === fault)).length
    return count === 0 ? '' : String(count)
  })
  return [name, `${right} of ${results.length}`, ...counts]
}

/** Formats one JUnit test case per case, with its kind as class name. */
export function formatJunit(results: readonly CaseResult[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length
  const totals = { name: 'conformance', tests: results.length, failures: failed }
  const cases = results.map((result) => testCase(result))
  const suite = xmlElement('testsuite', totals, cases)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement('testsuites', totals, [suite])}\n`
}

function testCase({ case: one, problems, reported, durationMs }: CaseResult): string {
  const attributes = { name: one.name, classname: one.kind, time: (durationMs / 1000).toFixed(3) }
  const failures = problems.map(({ fault, message }) =>
    xmlElement('failure', { type: fault, message }, [xmlText(`${one.about}\n${reported.output}`)]),
  )
  return xmlElement('testcase', attributes, failures)
}

/** Left-aligns the first column and right-aligns the others. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cells = (row: readonly string[]) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
  return rows.map((row) => cells(row).join('  ').trimEnd()).join('\n')
}
