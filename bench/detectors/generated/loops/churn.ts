/** Other arguments, the same answer. */
import { callsOfLoop, roundsOfLoop, type LoopClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import { newLook } from '../world/ordinary-work.ts'
import { restlessCalls } from '../world/restless-calls.ts'
import { searchText, sourceText } from '../world/texts.ts'
import { loopClass, type RoundPlan } from './round.ts'

const single = (script: Script, round: RoundPlan['round']): RoundPlan => ({
  period: 1,
  rounds: callsOfLoop,
  round,
})

/** The tool does not know offsets, or the file ends before. */
function growingOffset(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const text = random.pick([sourceText(random, project, 12), `(the file ${path} has 12 lines)`])
  const step = random.pick([10, 50, 100, 200])
  return single(script, (number) => script.turn([dialect.read(path, text, 1 + number * step, step)]))
}

function growingLimit(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const text = sourceText(random, project, 8)
  return single(script, (number) => script.turn([dialect.run(`head -n ${10 + 5 * number} ${path}`, text)]))
}

function rewordedSearch(script: Script): RoundPlan {
  const { random, project } = script
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  const result = searchText(random, project, one, 4)
  const words = [
    'how',
    'where',
    'definition',
    'of',
    one,
    two,
    'in',
    'the',
    'source',
    'example',
    'usage',
    'error',
  ]
  return single(script, () => {
    const query = random.shuffled(words).slice(0, random.between(3, 8)).join(' ')
    script.turn([{ tool: 'web_search', args: { query }, result, isError: false }])
  })
}

/** Only blanks between the words change. */
function searchWithBlanks(script: Script): RoundPlan {
  const { random, project } = script
  const words = random.shuffled(project.symbols).slice(0, 3)
  const result = searchText(random, project, words[0] ?? 'search', random.between(0, 4))
  const round = () => {
    const query = words.map((word) => word + ' '.repeat(random.between(1, 4))).join('')
    script.turn([{ tool: 'web_search', args: { query }, result, isError: false }])
  }
  return { period: 1, rounds: roundsOfLoop, round }
}

/** The same few looks, in an order drawn by lot: no period at all. */
function wandering(script: Script): RoundPlan {
  const calls = restlessCalls(script, script.random.between(3, 8))
  return single(script, () => script.turn([script.random.pick(calls)]))
}

/** The same few looks in the same order, each round with one skipped or made twice. */
function looseCycle(script: Script): RoundPlan {
  const { random } = script
  const calls = restlessCalls(script, random.between(4, 10))
  const round = () => {
    const odd = random.between(0, calls.length - 1)
    const times = random.chance(0.5) ? 0 : 2
    for (const [at, call] of calls.entries()) {
      for (let made = 0; made < (at === odd ? times : 1); made += 1) script.turn([call])
    }
  }
  return { period: null, rounds: Math.ceil(callsOfLoop / calls.length), round }
}

/** The same two files between ever new ones. */
function backToTheSame(script: Script): RoundPlan {
  const { random } = script
  const calls = restlessCalls(script, random.between(2, 4))
  return {
    period: calls.length + 1,
    rounds: Math.ceil(callsOfLoop / (calls.length + 1)),
    round: () => {
      for (const call of random.shuffled(calls)) script.turn([call])
      script.turn([newLook(script)])
    },
  }
}

export const churnLoops: readonly LoopClass[] = [
  loopClass({
    name: 'growing offset, same text',
    about: 'reads with a growing offset return the same text',
    demand: 'ever',
    plan: growingOffset,
  }),
  loopClass({
    name: 'growing limit, same text',
    about: 'more and more lines are asked for, the file has eight',
    demand: 'ever',
    plan: growingLimit,
  }),
  loopClass({
    name: 'reworded search, same hits',
    about: 'the query is worded anew each time, the hits are the same',
    demand: 'ever',
    plan: rewordedSearch,
  }),
  loopClass({
    name: 'same search, other blanks',
    about: 'only the blanks between the words of the query change',
    demand: 'laps',
    plan: searchWithBlanks,
  }),
  loopClass({
    name: 'wandering over the same calls',
    about: 'three to eight calls with unchanged answers in an order drawn by lot',
    demand: 'ever',
    plan: wandering,
  }),
  loopClass({
    name: 'loose cycle',
    about: 'a cycle of four to ten in which each round skips one call or makes one twice',
    demand: 'ever',
    plan: looseCycle,
  }),
  loopClass({
    name: 'back to the same',
    about: 'two to four unchanged calls in any order, then one new look',
    demand: 'ever',
    plan: backToTheSame,
  }),
]
