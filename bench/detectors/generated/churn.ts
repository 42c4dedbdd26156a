import { duration, type Script } from './script.ts'
import type { Call } from './dialect.ts'
import { callsOfLoop, roundsOfLoop, type LoopClass } from './generated-run.ts'
import { newLook, restlessCalls, searchText, sourceText, editOf, testText } from './world.ts'
import { loopClass, type RoundPlan } from './cycles.ts'

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

/** The same test with the same failures; in two runs of three its duration changes. */
function failingTest({ random, project, dialect }: Script): () => Call {
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 4))
  const hasTimes = random.chance(0.67)
  return () =>
    dialect.run(project.test, testText(project, failing, 60, hasTimes ? duration(random) : undefined), 1)
}

function inTurn(script: Script, ...calls: readonly (() => Call)[]): () => void {
  return () => {
    for (const call of calls) script.turn([call()])
  }
}

const pairs = (round: () => void): RoundPlan => ({ period: 2, rounds: callsOfLoop / 2, round })

/** Edits that differ, also in substance; the failure does not move. */
function differentEdits(script: Script): RoundPlan {
  const path = script.random.pick(script.project.paths)
  return pairs(inTurn(script, () => editOf(script, path), failingTest(script)))
}

function trivialEdits(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const symbol = random.pick(project.symbols)
  let state = `return ${symbol}(input)`
  const edit = () => {
    const before = state
    state = `return ${symbol}(input)${random.pick(['', ' ', '  ', ';'])} # ${random.pick(['fix', 'try', 'attempt', 'note'])} ${random.between(1, 999)}`
    return dialect.edit(path, before, state)
  }
  return pairs(inTurn(script, edit, failingTest(script)))
}

/** Done, undone, done again. */
function oscillation(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const [one, two] = [
    `return ${random.pick(project.symbols)}(input)`,
    `return ${random.pick(project.symbols)}(state)`,
  ]
  const test = failingTest(script)
  const there = () => dialect.edit(path, one, two)
  const back = () => dialect.edit(path, two, one)
  return { period: 4, rounds: roundsOfLoop, round: inTurn(script, there, test, back, test) }
}

/** Three versions in turn, each with its own failure. */
function roundOfVersions(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const versions = random
    .shuffled(project.symbols)
    .slice(0, 3)
    .map((symbol) => `return ${symbol}(input)`)
  const calls = versions.flatMap((version, at) => {
    const next = versions[(at + 1) % versions.length] ?? version
    return [() => dialect.edit(path, version, next), failingTest(script)]
  })
  return { period: calls.length, rounds: roundsOfLoop, round: inTurn(script, ...calls) }
}

/** The edit replaces a text by itself. */
function editToItself(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const text = `return ${random.pick(project.symbols)}(input)`
  const says = random.pick([
    `No changes made to ${path}.`,
    `Error: old text and new text are identical`,
    `Edited ${path}.`,
  ])
  return {
    period: 2,
    rounds: roundsOfLoop,
    round: inTurn(script, () => dialect.edit(path, text, text, says), failingTest(script)),
  }
}

/** The same, at another place each time. */
function editsOfNothing(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const says = random.pick(['No changes made.', 'Error: old text and new text are identical'])
  const edit = () => {
    const text = `${random.pick(project.symbols)}(${random.between(1, 9999)})`
    return dialect.edit(random.pick(project.paths), text, text, says)
  }
  return { period: 1, rounds: callsOfLoop, round: inTurn(script, edit) }
}

function sameRewrite(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const write = dialect.write(random.pick(project.paths), sourceText(random, project, 12))
  return { period: 2, rounds: roundsOfLoop, round: inTurn(script, () => write, failingTest(script)) }
}

/** The text to replace is guessed, and never there. */
function guessedEdits(script: Script): RoundPlan {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const edit = () => {
    const guess = `${random.pick(project.symbols)}(${random.pick(['input', 'state', 'row', 'item'])}, ${random.between(1, 9999)})`
    return dialect.edit(path, guess, `${guess} + 1`, `Error: the text to replace was not found in ${path}`)
  }
  return { period: 1, rounds: callsOfLoop, round: inTurn(script, edit) }
}

export const fruitlessEdits: readonly LoopClass[] = [
  loopClass({
    name: 'edit and test, different edits, same failure',
    about: 'sixty edits of one file, the same tests fail in the same way after each',
    demand: 'ever',
    plan: differentEdits,
  }),
  loopClass({
    name: 'edit and test, trivial edits, same failure',
    about: 'only a comment or blanks change, the same tests fail',
    demand: 'ever',
    plan: trivialEdits,
  }),
  loopClass({
    name: 'edit done and undone',
    about: 'an edit and its reverse in turn, the same failure after both',
    demand: 'laps',
    plan: oscillation,
  }),
  loopClass({
    name: 'three versions in turn',
    about: 'three versions go round, each with its own failure',
    demand: 'laps',
    plan: roundOfVersions,
  }),
  loopClass({
    name: 'edit to itself and test',
    about: 'a text is replaced by itself, the same failure',
    demand: 'laps',
    plan: editToItself,
  }),
  loopClass({
    name: 'edits that change nothing',
    about: 'texts at other places are replaced by themselves',
    demand: 'ever',
    plan: editsOfNothing,
  }),
  loopClass({
    name: 'same rewrite and test',
    about: 'a file is written with the same text again, the same failure',
    demand: 'laps',
    plan: sameRewrite,
  }),
  loopClass({
    name: 'guessed edits',
    about: 'the text to replace is guessed anew each time and never found',
    demand: 'ever',
    plan: guessedEdits,
  }),
]
