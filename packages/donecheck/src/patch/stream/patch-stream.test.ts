import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePatch } from '../parse.ts'
import { PatchStream, type PatchStreamEnd } from './patch-stream.ts'
import type { PatchStreamEvent } from './patch-stream-event.ts'

function streamed(pieces: readonly string[]): PatchStreamEnd {
  const stream = new PatchStream()
  const events = pieces.flatMap((piece) => stream.feed(piece))
  const { events: last, parsed } = stream.end()
  return { events: [...events, ...last], parsed }
}

function kindsOf(events: readonly PatchStreamEvent[]): readonly string[] {
  return events.map(({ kind }) => kind)
}

const patch = `*** Begin Patch
*** Update File: a
*** Move to: b
@@ one
-x
+y
@@ two
-p
*** Add File: n
+new
*** Delete File: gone
*** End Patch
`

describe('given a patch that is still being written', () => {
  it('tells each part as soon as it is complete', () => {
    const stream = new PatchStream()
    const told = patch.split(/(?<=\n)/).map((line) => kindsOf(stream.feed(line)))
    expect(told).toEqual([
      [],
      ['file-begun'],
      [],
      [],
      [],
      [],
      ['chunk-completed'],
      [],
      ['chunk-completed', 'file-completed', 'file-begun'],
      [],
      ['file-completed', 'file-begun'],
      ['file-completed'],
    ])
    expect(stream.end()).toMatchObject({ events: [], parsed: { kind: 'patch' } })
  })

  it.each([
    ['a first line that is none', 'Here is the patch:\n', 'malformed'],
    ['a bad header', '*** Begin Patch\n*** Change File: a\n', 'malformed'],
    ['a line without its sign', '*** Begin Patch\n*** Update File: a\nx\n', 'malformed'],
    ['a path that leaves the root', '*** Begin Patch\n*** Update File: ../a\n', 'bad-path'],
    ['a target that leaves the root', '*** Begin Patch\n*** Update File: a\n*** Move to: /a\n', 'bad-path'],
  ])('tells at once: %s', (_, piece, kind) => {
    expect(new PatchStream().feed(piece)).toContainEqual(
      expect.objectContaining({ kind: 'problem', problem: expect.objectContaining({ kind }) as unknown }),
    )
  })

  it('tells at its end that it is cut off', () => {
    const { events, parsed } = streamed(['*** Begin Patch\n*** Add File: a\n+x'])
    expect(kindsOf(events)).toEqual(['file-begun', 'problem'])
    expect(parsed.kind).toBe('invalid')
  })
})

const line = fc.constantFrom(
  '*** Begin Patch',
  '*** End Patch',
  ' *** End Patch',
  '*** Add File: a',
  ' *** Delete File: b',
  '*** Update File: c',
  '*** Move to: ../d',
  '*** End of File',
  '\\ No newline at end of file',
  '@@',
  '@@ x',
  '+p',
  '-q',
  ' r',
  '+EOF',
  '',
  '  ',
  '\r',
  "<<'EOF'",
  'EOF',
)
const body = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'))
const text = fc.oneof(
  body,
  body.map((inner) => `*** Begin Patch\n${inner}\n*** End Patch`),
  body.map((inner) => `<<'EOF'\n*** Begin Patch\n*** Update File: a\n${inner}\n *** End Patch \nEOF\n`),
  body.map((inner) => ` \n*** Begin Patch\r\n*** Update File: a\n x\n${inner}\n+p\n  *** End Patch\r\n\n`),
)

describe('given any text in any pieces', () => {
  it('reads it as it is read in one piece, and tells the same', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(400), { maxLength: 12 }), (whole, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b)
        const pieces = places.slice(1).map((place, index) => whole.slice(places[index], place))
        const cut = streamed(pieces)
        expect(cut.parsed).toEqual(parsePatch(whole, { dialect: 'strict' }))
        expect(cut.events).toEqual(streamed([whole]).events)
      }),
      { numRuns: 1_000 },
    )
  })

  it('tells just the parts of a valid patch, and a problem of any other', () => {
    let valid = 0
    fc.assert(
      fc.property(text, (whole) => {
        const { events, parsed } = streamed([whole])
        const malformed = events.filter(
          (event) => event.kind === 'problem' && event.problem.kind === 'malformed',
        )
        expect(malformed).toHaveLength(parsed.kind === 'invalid' ? 1 : 0)
        if (parsed.kind === 'invalid') return
        valid += 1
        const hunks = events.flatMap((event) => (event.kind === 'file-completed' ? [event.hunk] : []))
        expect(hunks).toEqual(parsed.hunks)
        const chunks = events.flatMap((event) => (event.kind === 'chunk-completed' ? [event.chunk] : []))
        expect(chunks).toEqual(parsed.hunks.flatMap((hunk) => (hunk.kind === 'update' ? hunk.chunks : [])))
        expect(events.filter(({ kind }) => kind === 'file-begun')).toHaveLength(hunks.length)
      }),
      { numRuns: 3_000 },
    )
    expect(valid).toBeGreaterThan(100)
  })
})
