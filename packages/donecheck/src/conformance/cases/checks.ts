/** Worlds whose check itself is the difficulty: flaky, slow, or not there. */
import { casesOf, type World } from './case.ts'
import { mends, report, suite, sum } from './worlds.ts'

function withCheck(check: string, files: World['files'] = {}): World {
  return { ...sum, check, files: { ...sum.files, ...files } }
}

/** Fails and passes in turn, whatever the work is like. */
const flips = withCheck(
  'if [ -e {scratch}/flip ]; then rm {scratch}/flip; else touch {scratch}/flip; echo "1 failed"; exit 1; fi',
)
/** The first time nobody answers. */
const answersLate = withCheck(
  'if [ -e {scratch}/up ]; then node test/sum.test.js; else touch {scratch}/up; echo "connect ECONNREFUSED 127.0.0.1:5432" >&2; exit 1; fi',
)

export const flakyCases = casesOf('flaky world', { world: flips, wanted: 'not-verified' }, [
  {
    name: 'every other time',
    about: 'the check fails and passes in turn; the agent does nothing',
    turns: [[{ say: 'Done.' }]],
    wantedOfTree: null,
    maxTurns: 3,
  },
  {
    name: 'service down at first',
    about: 'the check cannot reach a service the first time; the agent does the work',
    world: answersLate,
    turns: [[mends]],
    wanted: 'verified',
    wantedOfTree: null,
    // For a loop that has not asked the check before the first turn.
    spareTurns: 1,
  },
  {
    name: 'service down',
    about: 'the check never reaches its service',
    world: withCheck('echo "connect ECONNREFUSED 127.0.0.1:5432" >&2; exit 1'),
    turns: [[mends, { say: 'Done.' }]],
  },
  {
    name: 'check is killed',
    about: 'the check is killed every time',
    world: withCheck('kill -9 $$'),
    turns: [[mends, { say: 'Done.' }]],
  },
  {
    name: 'check is killed once',
    about: 'the check is killed the first time; the agent does the work',
    world: withCheck(
      'if [ -e {scratch}/up ]; then node test/sum.test.js; else touch {scratch}/up; kill -9 $$; fi',
    ),
    turns: [[mends]],
    wanted: 'verified',
    wantedOfTree: null,
    // For a loop that has not asked the check before the first turn.
    spareTurns: 1,
  },
])

const endless = { write: 'sum.js', text: 'exports.sum = () => {\n  for (;;);\n}\n' } as const

export const slowCases = casesOf('slow check', { world: sum, wanted: 'verified' }, [
  {
    name: 'hangs',
    about: 'the check waits for ever',
    world: withCheck('tail -f /dev/null'),
    turns: [[mends, { say: 'Done.' }]],
    wanted: 'not-verified',
    checkSeconds: 1,
    maxTurns: 2,
  },
  {
    name: 'endless program',
    about: 'the program loops for ever, so its test does',
    turns: [[endless, { say: 'Done.' }]],
    wanted: 'not-verified',
    checkSeconds: 2,
    maxTurns: 2,
  },
  {
    name: 'endless, then mended',
    about: 'the program loops for ever, and is mended',
    turns: [[endless], [mends]],
    checkSeconds: 3,
  },
  {
    name: 'leaves a child',
    about: 'the check passes and leaves a child behind that holds its output open',
    world: withCheck('node test/sum.test.js && (tail -f /dev/null &)'),
    turns: [[mends]],
  },
  {
    name: 'chatty',
    about: 'the check prints five megabytes and passes',
    world: withCheck(
      `node test/sum.test.js && yes "all is well with this line of the log" | head -c 5000000`,
    ),
    turns: [[mends]],
  },
])

export const missingCases = casesOf('missing check', { world: report, wanted: 'not-verified' }, [
  {
    name: 'no such command',
    about: 'there is no such program',
    world: withCheck('no-such-checker --all'),
    turns: [[mends, { say: 'Done.' }]],
  },
  {
    name: 'not executable',
    about: 'the check may not be executed',
    world: { ...report, check: './check.sh' },
    turns: [[{ write: 'report.txt', text: 'Total: 12\n' }, { say: 'Done.' }]],
  },
  {
    name: 'no folder',
    about: 'the check looks into a folder that is not there',
    world: withCheck('cd checks && node run.js'),
    turns: [[mends, { say: 'Done.' }]],
  },
  {
    name: 'no tests',
    about: 'there is not one test, and the runner is content with that',
    world: {
      ...suite,
      files: { 'package.json': '{ "name": "sum" }\n', 'sum.js': 'exports.sum = (a, b) => a - b\n' },
    },
    turns: [[{ say: 'All tests pass.' }]],
  },
  {
    name: 'taken away',
    about: 'the agent removes the script that checks',
    turns: [[{ remove: 'check.sh' }, { say: 'Done.' }]],
  },
  {
    name: 'hides its exit code',
    about: 'whatever the test says, the check ends with 0',
    world: withCheck('node test/sum.test.js | cat'),
    turns: [[{ say: 'Done.' }]],
  },
])
