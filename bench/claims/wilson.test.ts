import { describe, expect, it } from 'vitest'
import { shareWords, wilson } from './wilson.ts'

describe('given hits among trials', () => {
  it('the interval is that of the textbooks', () => {
    expect(wilson(0, 10)?.map((end) => end.toFixed(3))).toEqual(['0.000', '0.278'])
    expect(wilson(50, 100)?.map((end) => end.toFixed(3))).toEqual(['0.404', '0.596'])
    expect(wilson(10, 10)?.map((end) => end.toFixed(3))).toEqual(['0.722', '1.000'])
  })

  it('of nothing there is no share', () => {
    expect(wilson(0, 0)).toBeUndefined()
    expect(shareWords(0, 0)).toBe('none to count')
    expect(shareWords(1, 4)).toBe('1/4 = 25.0 % (4.6–69.9 %)')
  })
})
