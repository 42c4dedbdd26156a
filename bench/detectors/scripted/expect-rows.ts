import { expect, it } from 'vitest'
import type { Detector } from '../detector.ts'
import { rows, type RowName } from './rows.ts'
import { firstAlarms, type FirstAlarms } from './script.ts'

/** One test a row. Rows that are not named must pass in silence. */
export function expectRows(detector: Detector, expected: Partial<Record<RowName, FirstAlarms>>): void {
  const cases = Object.entries(rows).map(([name, script]) => ({
    name,
    script,
    alarms: named(expected, name),
  }))
  it.each(cases)('$name: $alarms', ({ script, alarms }) => {
    expect(firstAlarms(detector, script)).toEqual(alarms)
  })
}

function named(expected: Partial<Record<string, FirstAlarms>>, name: string): FirstAlarms {
  return expected[name] ?? {}
}
