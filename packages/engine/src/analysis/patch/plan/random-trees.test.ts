/** Random trees and random edits of them: what is written as a patch comes out as it was meant. */
import { diffArrays } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planPatch } from '../plan-patch.ts'
import { type ChangedFile, type FileImage } from '../plan.ts'
import { changed, envelope, filesOf, image, memoryFiles, shown } from '../fixtures/memory-tree.ts'
import { planUnifiedDiff, unifiedDiffOf } from '../unified.ts'

/** Few different lines, so that many places look alike. */
const line = fc.constantFrom(
  ...'a b } -x + @@ é“'.split(' '),
  ' b',
  '',
  '*** End Patch',
  ' *** Add File: z',
  '\\ No newline at end of file',
)
const end = fc.constantFrom('\n', '\n', '\n', '\r\n')

const text = fc
  .tuple(fc.array(fc.tuple(line, end), { maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) =>
    lines
      .map(([words, lineEnd], index) => words + (isEnded || index < lines.length - 1 ? lineEnd : ''))
      .join(''),
  )

/** The V4A form cannot say that a final newline is missing. */
const endedText = text.map((content) => content.replaceAll('\r\n', '\n').replace(/[^\n]$/, '$&\n'))
const path = fc.constantFrom('a', 'b', 'd/a', 'd/e f', 'ü', 'q"t')
const mode = fc.constantFrom(0o644, 0o644, 0o755)

type Images = ReadonlyMap<string, FileImage>

function treeOf(
  content: fc.Arbitrary<string | Uint8Array>,
  modes: fc.Arbitrary<number>,
): fc.Arbitrary<Images> {
  const file = fc.tuple(path, content, modes)
  return fc
    .uniqueArray(file, { selector: ([name]) => name, maxLength: 4 })
    .map((files) => new Map(files.map(([name, bytes, bits]) => [name, image(bytes, bits)])))
}

function changesBetween(before: Images, after: Images): readonly ChangedFile[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].flatMap((name) => {
    const [old, fresh] = [before.get(name) ?? null, after.get(name) ?? null]
    const isSame = old !== null && old.mode === fresh?.mode && old.bytes.join() === fresh.bytes.join()
    return isSame ? [] : [{ path: name, before: old, after: fresh }]
  })
}

/** A patch in the V4A form: each file that stays as one chunk with all its lines. */
function writePatch(changes: readonly ChangedFile[]): string {
  const parts = changes.map(({ path: name, before, after }) => {
    if (after === null) return `*** Delete File: ${name}`
    const [old, fresh] = [linesOf(before), linesOf(after)]
    if (before === null) return [`*** Add File: ${name}`, ...fresh.map((words) => `+${words}`)].join('\n')
    const lines = diffArrays(old, fresh).flatMap(({ value, added, removed }) =>
      value.map((words) => (added ? '+' : removed ? '-' : ' ') + words),
    )
    return [`*** Update File: ${name}`, '@@', ...lines, '*** End of File'].join('\n')
  })
  return envelope(parts.join('\n'))
}

function linesOf(file: FileImage | null): string[] {
  return new TextDecoder().decode(file?.bytes).split('\n').slice(0, -1)
}

describe('given two random trees', () => {
  it('a patch from one to the other gives exactly the other', async () => {
    const trees = treeOf(endedText, fc.constant(0o644))
    await fc.assert(
      fc.asyncProperty(trees, trees, async (before, after) => {
        const changes = changesBetween(before, after)
        if (changes.length === 0) return
        const patch = writePatch(changes)
        const plan = await planPatch(patch, memoryFiles(before))
        if (plan.kind !== 'planned') throw new Error(patch)
        expect(shown(changed(before, plan.changes))).toEqual(shown(after))
      }),
      { numRuns: 300 },
    )
  })

  it('a unified diff from one to the other gives exactly the other', async () => {
    const trees = treeOf(text, mode)
    await fc.assert(
      fc.asyncProperty(trees, trees, async (before, after) => {
        const changes = changesBetween(before, after)
        if (changes.length === 0) return
        const plan = await planUnifiedDiff(unifiedDiffOf(changes), memoryFiles(before))
        if (plan.kind !== 'planned') throw new Error(JSON.stringify(plan.problems) + unifiedDiffOf(changes))
        expect(changed(before, plan.changes)).toEqual(new Map([...after]))
      }),
      { numRuns: 300 },
    )
  })
})

describe('given any text for a patch', () => {
  const marker = fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** Add File: a',
    '*** Update File: a',
    '*** Delete File: a',
    '*** Move to: b',
    '*** Move to: a',
    '*** End of File',
    '*** Update File: ../a',
    '@@',
    '@@ a',
    '@@ -1,2 +1,2 @@',
    '+a',
    '-a',
    ' a',
    '',
    '-',
    '--- a/a',
    '+++ b/a',
    'diff --git a/a b/a',
    'rename to /x',
    '\\ No newline at end of file',
  )
  const noise = fc.array(fc.oneof({ weight: 5, arbitrary: marker }, fc.string({ unit: 'binary' })), {
    maxLength: 14,
  })

  it('nothing throws, and no plan leaves the root or says nothing', async () => {
    const files = filesOf({ a: 'a\nb\na\n', b: '' })
    await fc.assert(
      fc.asyncProperty(noise, fc.boolean(), async (lines, isFramed) => {
        const patch = isFramed ? envelope(lines.join('\n')) : lines.join('\n')
        for (const plan of [await planPatch(patch, files), await planUnifiedDiff(patch, files)]) {
          if (plan.kind === 'refused') expect(plan.problems).not.toEqual([])
          else
            for (const { path: name, before, after } of plan.changes) {
              expect(name.split('/')).not.toContain('..')
              expect(name.startsWith('/')).toBe(false)
              expect(before).not.toEqual(after)
            }
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
