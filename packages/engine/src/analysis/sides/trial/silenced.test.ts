import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silence } from './silenced.ts'

const weigh = "exports.weigh = (left, right) => {\n  if (left !== right) throw new Error('differs')\n}\n"
const voice = z.object({
  module: z.object({
    exports: z.object({
      weigh: z.custom<(left: number, right: number) => unknown>((value) => typeof value === 'function'),
    }),
  }),
})

describe('given a source without its voice', () => {
  it('complains of nothing, and what it returns can be waited for', async () => {
    const place = { module: { exports: {} }, exports: {} }
    place.exports = place.module.exports
    runInNewContext(silence('src/weigh.js', weigh) ?? '', place)
    const silent = voice.parse(place).module.exports.weigh
    expect(typeof silent(1, 2)).toBe('function')
    expect(typeof (await silent(1, 2))).toBe('function')
  })
})
