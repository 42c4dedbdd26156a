/** Agents that never come to an end, and agents that wait. */
import { casesOf, type Act } from './case.ts'
import { mends, sum } from './worlds.ts'

const minus: Act = { write: 'sum.js', text: 'exports.sum = (a, b) => a - b - 0\n' }
const times: Act = { write: 'sum.js', text: 'exports.sum = (a, b) => a * b\n' }
const stops = ['hard_cap', 'loop_detected', 'stagnated', 'diminishing', 'blocked']

/** Turn by turn one longer. */
const grows = [1, 2, 3, 4, 5, 6].map((turn): readonly Act[] => [
  { write: 'log.txt', text: 'tried again\n'.repeat(turn * 100) },
  { say: 'I have tried something else. ', times: turn * 200 },
])

const renames = [1, 2, 3, 4, 5, 6].map((turn): readonly Act[] => [
  { write: `attempts/attempt-${turn}.js`, text: `exports.sum = (a, b) => a - b // ${turn}\n` },
  { say: `Attempt ${turn} is better.` },
])

export const looperCases = casesOf('looper', { world: sum, wanted: 'not-verified', maxTurns: 6 }, [
  {
    name: 'same again',
    about: 'writes the same wrong file in every turn',
    turns: [[times, { say: 'Mended.' }]],
    reasons: stops,
  },
  {
    name: 'back and forth',
    about: 'goes back and forth between two wrong answers',
    turns: [[minus], [times], [minus], [times], [minus], [times]],
    reasons: stops,
  },
  {
    name: 'white space',
    about: 'changes nothing but blanks',
    turns: [1, 2, 3, 4, 5, 6].map((count) => [
      { write: 'sum.js', text: `exports.sum = (a, b) => a - b${'\n'.repeat(count)}` },
      { say: 'Reformatted and mended.' },
    ]),
    reasons: stops,
  },
  {
    name: 'ever more',
    about: 'says and writes more in every turn',
    turns: grows,
    reasons: stops,
  },
  {
    name: 'new names',
    about: 'writes every attempt into another file',
    turns: renames,
    reasons: stops,
  },
  {
    name: 'finds the way out',
    about: 'repeats itself three times, then does the work',
    turns: [[times], [times], [times], [mends]],
    wanted: 'verified',
  },
])

/** Until the case is over. */
const untilTheEnd = 'while [ -d "$AGENT_FOLDER" ]; do sleep 0.1; done'
const waitsForGo = `(until [ -e go ] || [ ! -d "$AGENT_FOLDER" ]; do sleep 0.05; done; [ -e go ] && cp mended.js sum.js && touch ready) >/dev/null 2>&1 & echo $! > pid`
const letsGo = `touch go; until [ -e ready ] || ! kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.05; done; [ -e ready ] || cp mended.js sum.js; rm -f go ready pid mended.js`

export const waiterCases = casesOf('waiter', { world: sum, wanted: 'verified' }, [
  {
    name: 'background work',
    about: 'begins the work in the background in one turn, and sees to it in the next that it is done',
    turns: [
      [
        { write: 'mended.js', text: 'exports.sum = (a, b) => a + b\n' },
        { shell: waitsForGo },
        { say: 'It is on its way.' },
      ],
      [{ shell: letsGo }, { say: 'Now it is there.' }],
    ],
  },
  {
    name: 'waits for others',
    about: 'says in every turn that it waits for a build that nobody has started',
    turns: [[{ say: 'I am waiting for the build. Please hold on.' }]],
    wanted: 'not-verified',
  },
  {
    name: 'leaves a server',
    about: 'does the work and leaves a process behind that holds its output open',
    turns: [[mends, { shell: `(${untilTheEnd}) &` }, { say: 'Done; the server runs.' }]],
  },
  {
    name: 'leaves a server, no work',
    about: 'leaves such a process behind, and nothing else',
    turns: [[{ shell: `(${untilTheEnd}) &` }, { say: 'Done; the server runs.' }]],
    wanted: 'not-verified',
    maxTurns: 2,
  },
])
