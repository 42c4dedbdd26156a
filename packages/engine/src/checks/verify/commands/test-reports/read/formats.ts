import type { ReportFormat } from '../ask/how-to-ask.ts'
import { unreadable, type Reading } from '../report.ts'
import type { TextRunner } from '../text/read-text.ts'
import { readCargo } from './cargo.ts'
import { readGoJson } from './go-json.ts'
import { readJestJson } from './jest-json.ts'
import { readMochaJson } from './mocha-json.ts'
import { readRspecJson } from './rspec-json.ts'
import { readTap } from './tap.ts'
import { jsonOf } from '../../../../../base/index.ts'

/** A report in the format that was asked for. */
export async function readFormat(text: string, format: ReportFormat, folder: string): Promise<Reading> {
  switch (format) {
    case 'junit':
      return readJunit(text, folder)
    case 'go-json':
      return readGoJson(text)
    case 'vitest-json':
    case 'jest-json':
      return withJson(text, (value) => readJestJson(value, folder, format))
    case 'mocha-json':
      return withJson(text, (value) => readMochaJson(value, folder))
    case 'rspec-json':
      return withJson(text, (value) => readRspecJson(value, folder))
  }
}

/** Its parser is forty files, which whoever meets no XML does not wait for. */
async function readJunit(text: string, folder: string): Promise<Reading> {
  const junit = await import('./junit.ts')
  return junit.readJunit(text, folder)
}

/** Characters. */
const maxPrintedLength = 16 * 1024 * 1024
/** Its parser takes a second for a megabyte, and nothing else is done meanwhile. */
const maxTapLength = 4 * 1024 * 1024

/**
 * A report that a program printed by itself: the first format that fits.
 * @param last the runner whose summary for people was printed last: the TAP before it may be what its tests print
 */
export async function readPrinted(
  stdout: string,
  folder: string,
  last: TextRunner | undefined,
): Promise<Reading> {
  if (stdout.length > maxPrintedLength) return unreadable('it prints more than is searched for a report')
  const isLastInTap = last === undefined || (last === 'node-test' && /^# tests \d+$/m.test(stdout))
  const mayBeTap = isLastInTap && stdout.length <= maxTapLength
  const readers = [
    () => (/^\{"(?:Time|Action|ImportPath)":/m.test(stdout) ? readGoJson(stdout) : unreadable('no events')),
    () => withJson(jsonIn(stdout), (value) => readJestJson(value, folder, 'jest-json')),
    () => withJson(jsonIn(stdout), (value) => readMochaJson(value, folder)),
    () => (/^\s*<(?:\?xml|testsuites?\b)/.test(stdout) ? readJunit(stdout, folder) : unreadable('no XML')),
    () => (mayBeTap && isTap(stdout) ? readTap(stdout, folder) : unreadable('no TAP')),
    () => (last === 'cargo' ? readCargo(stdout) : unreadable('no results of cargo')),
  ]
  for (const read of readers) {
    const reading = await read()
    if (reading.kind === 'read') return reading
  }
  return unreadable('it prints no report that we know')
}

function isTap(text: string): boolean {
  return (
    /^(?:TAP version 1\d|1\.\.0(?: #.*)?$)/m.test(text) ||
    (/^1\.\.\d+/m.test(text) && /^(?:not )?ok\b/m.test(text))
  )
}

function withJson(text: string, read: (value: unknown) => Reading): Reading {
  const value = jsonOf(text)
  return value === undefined ? unreadable('it is no whole JSON') : read(value)
}

/** A package manager prints its own lines before the report. */
function jsonIn(text: string): string {
  const start = /^\{/m.exec(text)
  return start === null ? '' : text.slice(start.index)
}
