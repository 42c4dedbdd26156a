import { expect, it } from 'vitest'
import { parseConfig } from '../../../config/index.ts'
import { chosenValue, withExperiments } from './experiments.ts'

const drawn = (given: object, side: number) => withExperiments(parseConfig(given, 'a test'), () => side)

it('a coin chooses one value of an experiment, which becomes a label', () => {
  const given = { labels: ['nightly'], experiments: ['memory=on,off'] }
  expect(drawn(given, 0)).toEqual({ labels: ['nightly', 'memory=on'] })
  expect(drawn(given, 1)).toEqual({ labels: ['nightly', 'memory=off'] })
  expect(chosenValue(drawn(given, 1), 'memory')).toBe('off')
  expect(chosenValue(drawn(given, 1), 'mem')).toBeUndefined()
})

it('every value has its chance, and none beside them', () => {
  const sides: number[] = []
  withExperiments(parseConfig({ experiments: ['a=x,y,z', 'b=1,2'] }, 'a test'), (choices) => {
    sides.push(choices)
    return 0
  })
  expect(sides).toEqual([3, 2])
})

it('a label decides instead of the coin', () => {
  const given = { labels: ['memory=off'], experiments: ['memory=on,off'] }
  expect(drawn(given, 0)).toEqual({ labels: ['memory=off'] })
})

it('without an experiment nothing is drawn, and a run that goes on draws nothing again', () => {
  expect(drawn({ labels: ['nightly'] }, 0)).toEqual({ labels: ['nightly'] })
  const once = drawn({ experiments: ['memory=on,off'] }, 1)
  expect(withExperiments(once, () => 0)).toEqual(once)
})

it.each(['memory', 'memory=', 'memory=on', 'memory=on,on', 'memory=on, ,off', '=a,b', 'a b=c,d'])(
  '%s is no experiment',
  (text) => {
    expect(() => drawn({ experiments: [text] }, 0)).toThrow(/not of the form name=a,b/)
  },
)
