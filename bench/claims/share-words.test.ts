import { expect, it } from 'vitest'
import { shareWords } from './share-words.ts'

it('a share has its interval, and of nothing there is none', () => {
  expect(shareWords(0, 0)).toBe('none to count')
  expect(shareWords(1, 4)).toBe('1/4 = 25.0 % (4.6–69.9 %)')
})
