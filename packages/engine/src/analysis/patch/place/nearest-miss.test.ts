import { describe, expect, it } from 'vitest'
import { envelope, filesOf } from '../fixtures/memory-tree.ts'
import { describeProblems } from '../plan/plan.ts'
import { planPatch } from '../plan/plan-patch.ts'
import { splitLines } from '../text-file.ts'
import { nearestMiss } from './nearest-miss.ts'
import { soughtFile } from './sought-file.ts'

function fileOf(text: string) {
  return soughtFile('a', splitLines(text, 'end'))
}

const source = `import os

def total(items):
    result = 0
    for item in items:
        result += item.price
    return result

def mean(items):
    return total(items) / len(items)
`

describe('given lines that do not stand in a file', () => {
  it('shows the place that is most like them, with its lines and what differs', () => {
    const expected = [
      'def total(items):',
      '    result = 0',
      '    for item in items:',
      '        result += item.cost',
    ]
    expect(nearestMiss(fileOf(source), expected)).toMatchObject({
      firstLine: 3,
      lastLine: 6,
      diff: '     result = 0\n     for item in items:\n-        result += item.cost\n+        result += item.price',
    })
  })

  it('finds it by letters where no line is equal', () => {
    expect(nearestMiss(fileOf(source), ['    return totals(item) / len(item)'])).toMatchObject({
      firstLine: 10,
    })
  })

  it('shows nothing where nothing is like them', () => {
    expect(nearestMiss(fileOf(source), ['<html lang="en">', '<body>'])).toBeUndefined()
    expect(nearestMiss(fileOf(''), ['x'])).toBeUndefined()
    expect(nearestMiss(fileOf(source), ['', ''])).toBeUndefined()
  })

  it('is told in the words of the problem', async () => {
    const patch = envelope(
      '*** Update File: a\n@@\n def mean(items):\n-    return total(items) / size(items)\n+    return 0',
    )
    const plan = await planPatch(patch, filesOf({ a: source }))
    expect(plan.kind === 'refused' && describeProblems(plan.problems))
      .toBe(`line 3 of the patch: a: the lines that the chunk expects are not in the file: read it again and copy them exactly
Most like it: lines 9-10 (91 % alike; - expected, + in the file)
 def mean(items):
-    return total(items) / size(items)
+    return total(items) / len(items)`)
  })

  it('says what has been applied already, and where', async () => {
    const patch = envelope(
      '*** Update File: a\n@@\n def mean(items):\n-    return 0\n+    return total(items) / len(items)',
    )
    expect(await planPatch(patch, filesOf({ a: source }))).toMatchObject({
      problems: [{ kind: 'already-applied', places: [9] }],
    })
  })

  it('comes to an end on large files and long lines', () => {
    const large = fileOf(
      Array.from({ length: 100_000 }, (_, index) => `value ${index % 100} = ${index}\n`).join(''),
    )
    const expected = Array.from({ length: 200 }, (_, index) => `value ${index} = none`)
    expect(nearestMiss(large, expected)?.diff.split('\n').length).toBeLessThan(20)
    expect(nearestMiss(fileOf('x'.repeat(1_000_000)), ['x'.repeat(999_999) + 'y'])).toMatchObject({
      firstLine: 1,
    })
  })

  it('keeps the list of problems short', async () => {
    const chunks = Array.from({ length: 30 }, (_, index) => `@@\n-missing ${index}\n+x`).join('\n')
    const plan = await planPatch(envelope(`*** Update File: a\n${chunks}`), filesOf({ a: source }))
    const reported = plan.kind === 'refused' ? describeProblems(plan.problems) : ''
    expect(reported).toContain('... and 20 more problems of this patch')
  })
})
