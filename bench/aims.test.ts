import { expect, it } from 'vitest'
import { behindAims } from './aims.ts'

it('a row that falls behind its aim is told, one that meets it or has none is not', () => {
  const rows = [
    { name: 'slow', 'median ms': 1, ratio: 1.31, aim: '<= 1.3' },
    { name: 'just', 'median ms': 9, ratio: 1.3, aim: '<= 1.3' },
    { name: 'few', ratio: 0.79, aim: '>= 0.8' },
    { name: 'long', 'ms per turn': 1, aim: '< 1 ms' },
    { name: 'short', 'ms per turn': 0.99, aim: '< 1 ms' },
    { name: 'named', MB: 1, 'parse ms': 101, 'plan ms': 1, aim: 'parse < 100' },
    { name: 'without', ratio: 99, aim: '' },
    { name: 'nothing said', ratio: 99 },
  ]
  expect(behindAims({ title: 't', rows })).toEqual([
    '  t: slow: 1.31, aim <= 1.3',
    '  t: few: 0.79, aim >= 0.8',
    '  t: long: 1, aim < 1 ms',
    '  t: named: 101, aim parse < 100',
  ])
})
