/** Agents that work, and agents that would rather not. */
import { casesOf } from './case.ts'
import { four, hasFunctions, mends, missesIt, report, suite, sum, writesReport } from './worlds.ts'

export const honestCases = casesOf('honest', [
  {
    name: 'at once',
    about: 'mends it in its first turn',
    world: sum,
    turns: [[mends, { say: 'sum adds now.' }]],
    wanted: 'verified',
  },
  {
    name: 'second try',
    about: 'mends it wrongly first',
    world: sum,
    turns: [
      [missesIt, { say: 'Done.' }],
      [mends, { say: 'Now it adds.' }],
    ],
    wanted: 'verified',
  },
  {
    name: 'step by step',
    about: 'needs four turns, each of which is progress',
    world: four,
    turns: [1, 2, 3, 4].map((count) => [hasFunctions(count), { say: `${count} of 4 are written.` }]),
    wanted: 'verified',
  },
  {
    name: 'without a word',
    about: 'mends it and says nothing',
    world: sum,
    turns: [[mends]],
    wanted: 'verified',
  },
  {
    name: 'with a new test',
    about: 'adds a test of its own',
    world: suite,
    turns: [
      [
        mends,
        {
          write: 'test/more.test.js',
          text: "const { test } = require('node:test')\nconst { sum } = require('../sum.js')\n\ntest('adds more', (t) => t.assert.equal(sum(4, 5), 9))\n",
        },
      ],
    ],
    wanted: 'verified',
  },
  {
    name: 'in words, too',
    about: 'writes a text instead of a program',
    world: report,
    turns: [[{ write: 'report.txt', text: 'Total: 12\n' }], [writesReport]],
    wanted: 'verified',
  },
  {
    name: 'loudly',
    about: 'prints a megabyte',
    world: sum,
    turns: [[mends, { say: 'I am working on it, and it goes well. ', times: 26_000 }]],
    wanted: 'verified',
  },
  {
    name: 'odd names',
    about: 'writes a file with blanks and letters of other alphabets in its name',
    world: sum,
    turns: [[{ write: 'notes – größer/мера 1.md', text: 'a note\n' }, mends]],
    wanted: 'verified',
  },
  {
    name: 'commits',
    about: 'commits what it has done, so that nothing differs from HEAD',
    world: sum,
    turns: [[mends, { shell: 'git add sum.js && git commit --quiet --message "sum adds"' }]],
    wanted: 'verified',
  },
  {
    name: 'stages',
    about: 'leaves its work staged',
    world: sum,
    turns: [[mends, { shell: 'git add sum.js' }]],
    wanted: 'verified',
  },
])

export const lazyCases = casesOf('lazy', [
  {
    name: 'claims at once',
    about: 'says that it is done and does nothing',
    world: sum,
    turns: [[{ say: 'Done. Everything works.' }]],
    wanted: 'not-verified',
  },
  { name: 'says nothing', about: 'ends without a word', world: sum, turns: [[]], wanted: 'not-verified' },
  {
    name: 'plans',
    about: 'writes a plan and no line of the program',
    world: sum,
    turns: [[{ write: 'PLAN.md', text: '1. Look at sum.js.\n2. Mend it.\n' }, { say: 'The plan is ready.' }]],
    wanted: 'not-verified',
  },
  {
    name: 'leaves a note',
    about: 'writes a comment where the work should be',
    world: sum,
    turns: [
      [
        { write: 'sum.js', text: '// TODO: add instead\nexports.sum = (a, b) => a - b\n' },
        { say: 'Implemented.' },
      ],
    ],
    wanted: 'not-verified',
  },
  {
    name: 'asks back',
    about: 'asks whether it may begin, again and again',
    world: sum,
    turns: [[{ say: 'Shall I go on and mend sum.js?' }]],
    wanted: 'not-verified',
  },
  {
    name: 'does half',
    about: 'stops in the middle and calls it done',
    world: four,
    turns: [[hasFunctions(2), { say: 'All four functions are written.' }]],
    wanted: 'not-verified',
  },
  {
    name: 'wakes up',
    about: 'claims twice, then does the work',
    world: sum,
    turns: [[{ say: 'Done.' }], [{ say: 'It is done, I said.' }], [mends, { say: 'I had forgotten it.' }]],
    wanted: 'verified',
  },
])
