/** The reference has a section for every detector, and says the defaults that hold. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  standardLoopDetection,
  standardStagnation,
  detectorNames,
} from '@donecheck/core/internal/events/settings'
import { describe, expect, it } from 'vitest'

const reference = readFileSync(
  fileURLToPath(new URL('../../docs/reference/detectors.md', import.meta.url)),
  'utf8',
)
const sections = new Map(
  reference.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', section] as const),
)

describe('given the reference of the detectors', () => {
  it.each(detectorNames)(
    '%s: then it says what it does by default, what is told, and how it is off',
    (name) => {
      const section = sections.get(name) ?? ''
      for (const part of ['**Default:**', '**Told:**', '**Off:**', `detectors: { ${name}: 'off' }`])
        expect(section).toContain(part)
    },
  )

  it('then the defaults are those that hold', () => {
    const told = [...reference.matchAll(/^\| `(\w+)` +\| `?([\w-]+|\{\})`? +\|/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    )
    const values = Object.entries(standardLoopDetection).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    expect(told).toEqual(values)
    expect(reference).toContain(`\`patienceVerifications\` (${standardStagnation.patienceVerifications})`)
  })
})
