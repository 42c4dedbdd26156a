/** The patterns by which loop detectors are compared in print, over our defaults: loops with one exception are ended, benign work at most told. */
import { describe } from 'vitest'
import type { Detector } from '../detector.ts'
import { expectRows } from './expect-rows.ts'
import { ours } from '../ours.ts'

function byName(name: string): Detector {
  const found = ours.find((detector) => detector.name === name)
  if (found === undefined) throw new Error(`there is no detector ${name}`)
  return found
}

const atFirstVerdict = byName('donecheck')
const byDefault = byName('donecheck (by default: told, refused, ended)')

/** A benign row that is told something: that a failure comes back. */
const toldAtMost = {
  'a provider that is down for a while': { warn: 3 },
}

describe('given our defaults, ended at the first verdict', () => {
  expectRows(atFirstVerdict, {
    'A A A': { warn: 4, stop: 5 },
    'same call, same error': { warn: 3, stop: 5 },
    'A B A B': { stop: 5 },
    'A B C': { stop: 7 },
    'period 4': { stop: 9 },
    'period 5': { stop: 11 },
    'period 6': { stop: 13 },
    // Half of the calls are new, which is also how an agent looks at its work between reads: no alarm in either form.
    'one unique call between repeats': {},
    'shell, jittered arguments, same failure': { warn: 20, stop: 28 },
    'other tool, jittered arguments, same error': { warn: 20, stop: 28 },
    'reworded thought, same call': { warn: 4, stop: 5 },
    'argument key order shuffled': { warn: 4, stop: 5 },
    'chanting text': { warn: 1, stop: 3 },
    ...toldAtMost,
  })
})

describe('given our defaults as they are shipped: told, refused, ended', () => {
  expectRows(byDefault, {
    'A A A': { warn: 4, refuse: 6, stop: 7 },
    'same call, same error': { warn: 3, refuse: 6, stop: 7 },
    'A B A B': { warn: 5, refuse: 6, stop: 7 },
    'A B C': { warn: 7, refuse: 8, stop: 9 },
    'period 4': { warn: 9, refuse: 10, stop: 11 },
    'period 5': { warn: 11, refuse: 12, stop: 13 },
    'period 6': { warn: 13, refuse: 14, stop: 15 },
    'one unique call between repeats': {},
    'shell, jittered arguments, same failure': { warn: 20, refuse: 31, stop: 35 },
    'other tool, jittered arguments, same error': { warn: 20, refuse: 31, stop: 35 },
    'reworded thought, same call': { warn: 4, refuse: 6, stop: 7 },
    'argument key order shuffled': { warn: 4, refuse: 6, stop: 7 },
    'chanting text': { warn: 1, stop: 3 },
    ...toldAtMost,
  })
})
