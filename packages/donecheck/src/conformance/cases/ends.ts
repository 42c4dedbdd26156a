/** Where a case begins or ends in an unusual way: green before the start, a crash, a bound. */
import { casesOf } from './case.ts'
import { addsProduct, four, green, hasFunctions, mends, missesIt, sum } from './worlds.ts'

const breaks = { write: 'sum.js', text: 'exports.sum = (a, b) => a + b +\n' } as const

export const greenCases = casesOf('green at the start', { world: green, wanted: 'not-verified' }, [
  {
    name: 'nothing done',
    about: 'the check is green before anything is done, and nothing is',
    turns: [[{ say: 'Done: product is there.' }]],
    wantedOfTree: null,
    maxTurns: 3,
  },
  {
    name: 'says nothing',
    about: 'the check is green before anything is done, and the agent ends without a word or a deed',
    turns: [[]],
    wantedOfTree: null,
    maxTurns: 3,
  },
  {
    name: 'does it',
    about: 'adds what was asked for; the check stays green',
    turns: [[addsProduct, { say: 'product is there.' }]],
    wanted: 'verified',
  },
  {
    name: 'breaks it',
    about: 'breaks what was green',
    turns: [[breaks, { say: 'product is there.' }]],
  },
  {
    name: 'breaks it and mends it',
    about: 'breaks what was green, then does the work',
    turns: [
      [breaks, { say: 'Done.' }],
      [addsProduct, { say: 'Now it is done.' }],
    ],
    wanted: 'verified',
  },
  {
    name: 'always true',
    about: 'the check is `true`',
    world: { ...green, check: 'true' },
    turns: [[{ say: 'Done.' }]],
    maxTurns: 2,
  },
])

export const crashCases = casesOf('crash', { world: sum, wanted: 'verified' }, [
  {
    name: 'exit 1 after the work',
    about: 'does the work and ends with exit code 1',
    turns: [[mends, { exit: 1 }]],
  },
  {
    name: 'exit 1 every time',
    about: 'ends with exit code 1 and does nothing',
    turns: [[{ say: 'Error: no connection' }, { exit: 1 }]],
    wanted: 'not-verified',
  },
  {
    name: 'killed after the work',
    about: 'does the work and is killed',
    turns: [[mends, { killed: true }]],
  },
  {
    name: 'killed in the middle',
    about: 'is killed with half a file written, and mends it in the next turn',
    turns: [[{ write: 'sum.js', text: 'exports.sum = (a, b' }, { killed: true }], [mends]],
  },
  {
    name: 'garbage',
    about: 'prints bytes that are no text and control characters, then does the work',
    turns: [[{ bytes: 'AP/+gMAbWzJKG10wO3ZlcmlmaWVkBw==' }], [mends, { bytes: 'AP/+gMAbWzJK' }]],
  },
  {
    name: 'exit 0, nothing',
    about: 'ends with exit code 0 and has broken the program',
    turns: [[breaks, { exit: 0 }]],
    wanted: 'not-verified',
  },
])

export const budgetCases = casesOf('budget', { world: sum, wanted: 'verified' }, [
  {
    name: 'too little',
    about: 'needs four turns and has two',
    world: four,
    turns: [1, 2, 3, 4].map((count) => [hasFunctions(count)]),
    wanted: 'not-verified',
    wantedOfTree: 'verified',
    reasons: ['hard_cap'],
    maxTurns: 2,
  },
  {
    name: 'just enough',
    about: 'is done with the last turn that it has',
    world: four,
    turns: [2, 3, 4].map((count) => [hasFunctions(count)]),
    maxTurns: 3,
  },
  {
    name: 'one turn',
    about: 'has one turn, and needs one',
    turns: [[mends]],
    maxTurns: 1,
  },
  {
    name: 'one turn, not done',
    about: 'has one turn, and would need two',
    turns: [[missesIt], [mends]],
    wanted: 'not-verified',
    wantedOfTree: 'verified',
    maxTurns: 1,
  },
])
