import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { placed, type Label } from './labels.ts'

const label = (wantedY: number): Label => ({ wantedY, height: 20 })
const room = { top: 0, bottom: 400 }

describe('names beside a picture', () => {
  it('stand beside their dots where there is room', () => {
    expect(placed([label(50), label(200)], room)).toEqual([40, 190])
  })

  it('make room for each other', () => {
    expect(placed([label(100), label(105)], room)).toEqual([90, 110])
  })

  it('move up where the room ends', () => {
    expect(placed([label(395), label(398)], room)).toEqual([360, 380])
  })

  const labels = fc
    .array(
      fc.record({ wantedY: fc.integer({ min: 0, max: 400 }), height: fc.integer({ min: 10, max: 80 }) }),
      {
        maxLength: 12,
      },
    )
    .map((list) => list.toSorted((one, other) => one.wantedY - other.wantedY))

  test.prop([labels])('never cover one another and never leave the room at its top', (list) => {
    const tops = placed(list, room)
    for (const [index, top] of tops.entries()) {
      expect(top).toBeGreaterThanOrEqual(room.top)
      const next = tops[index + 1]
      if (next !== undefined) expect(next - top).toBeGreaterThanOrEqual(list[index]?.height ?? 0)
    }
  })

  test.prop([labels])('stay within the room as long as they fit', (list) => {
    const height = list.reduce((sum, one) => sum + one.height, 0)
    fc.pre(height <= room.bottom - room.top)
    const ends = placed(list, room).map((top, index) => top + (list[index]?.height ?? 0))
    expect(Math.max(0, ...ends)).toBeLessThanOrEqual(room.bottom)
  })
})
