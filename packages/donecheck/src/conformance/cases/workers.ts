/** Agents that work, and agents that would rather not. */
import { casesOf } from './case.ts'
import { four, hasFunctions, mends, missesIt, report, suite, sum, writesReport } from './worlds.ts'

export const honestCases = casesOf('honest', { world: sum, wanted: 'verified' }, [
  {
    name: 'at once',
    about: 'mends it in its first turn',
    turns: [[mends, { say: 'sum adds now.' }]],
  },
  {
    name: 'second try',
    about: 'mends it wrongly first',
    turns: [
      [missesIt, { say: 'Done.' }],
      [mends, { say: 'Now it adds.' }],
    ],
  },
  {
    name: 'step by step',
    about: 'needs four turns, each of which is progress',
    world: four,
    turns: [1, 2, 3, 4].map((count) => [hasFunctions(count), { say: `${count} of 4 are written.` }]),
  },
  {
    name: 'without a word',
    about: 'mends it and says nothing',
    turns: [[mends]],
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
  },
  {
    name: 'in words, too',
    about: 'writes a text instead of a program',
    world: report,
    turns: [[{ write: 'report.txt', text: 'Total: 12\n' }], [writesReport]],
  },
  {
    name: 'loudly',
    about: 'prints a megabyte',
    turns: [[mends, { say: 'I am working on it, and it goes well. ', times: 26_000 }]],
  },
  {
    name: 'odd names',
    about: 'writes a file with blanks and letters of other alphabets in its name',
    turns: [[{ write: 'notes – größer/мера 1.md', text: 'a note\n' }, mends]],
  },
  {
    name: 'commits',
    about: 'commits what it has done, so that nothing differs from HEAD',
    turns: [[mends, { shell: 'git add sum.js && git commit --quiet --message "sum adds"' }]],
  },
  {
    name: 'stages',
    about: 'leaves its work staged',
    turns: [[mends, { shell: 'git add sum.js' }]],
  },
])

export const lazyCases = casesOf('lazy', { world: sum, wanted: 'not-verified' }, [
  {
    name: 'claims at once',
    about: 'says that it is done and does nothing',
    turns: [[{ say: 'Done. Everything works.' }]],
  },
  { name: 'says nothing', about: 'ends without a word', world: sum, turns: [[]], wanted: 'not-verified' },
  {
    name: 'plans',
    about: 'writes a plan and no line of the program',
    turns: [[{ write: 'PLAN.md', text: '1. Look at sum.js.\n2. Mend it.\n' }, { say: 'The plan is ready.' }]],
  },
  {
    name: 'leaves a note',
    about: 'writes a comment where the work should be',
    turns: [
      [
        { write: 'sum.js', text: '// TODO: add instead\nexports.sum = (a, b) => a - b\n' },
        { say: 'Implemented.' },
      ],
    ],
  },
  {
    name: 'asks back',
    about: 'asks whether it may begin, again and again',
    turns: [[{ say: 'Shall I go on and mend sum.js?' }]],
  },
  {
    name: 'does half',
    about: 'stops in the middle and calls it done',
    world: four,
    turns: [[hasFunctions(2), { say: 'All four functions are written.' }]],
  },
  {
    name: 'wakes up',
    about: 'claims twice, then does the work',
    turns: [[{ say: 'Done.' }], [{ say: 'It is done, I said.' }], [mends, { say: 'I had forgotten it.' }]],
    wanted: 'verified',
  },
])
