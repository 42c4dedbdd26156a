/** Loops in what the model says. */
import { roundsOfLoop, type LoopClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import { editOf, newLook } from '../world/ordinary-work.ts'
import { sentence } from '../world/voice.ts'
import { loopClass, type RoundPlan } from './round.ts'

const rounds = (round: RoundPlan['round'], count = roundsOfLoop): RoundPlan => ({
  period: 1,
  rounds: count,
  round,
})

/** Rounds where the calls differ and only the words tell. */
const roundsOfThought = 40

const sentences = ({ random, project }: Script, count: number) =>
  Array.from({ length: count }, () => sentence(random, project))

/** One sentence or two, over and over within the reply. */
function chanting(script: Script): RoundPlan {
  const { random } = script
  const unit = `${sentences(script, random.between(1, 2)).join(' ')}${random.pick([' ', '\n', '\n\n'])}`
  return rounds(() => script.turn([], sentences(script, 1).join('') + unit.repeat(random.between(12, 60))))
}

/** The reply ends the turn; somebody, or nobody, says that it should go on. */
function identicalReplies(script: Script): RoundPlan {
  const { random } = script
  const text = sentences(script, random.between(2, 6)).join(' ')
  const push = random.pick([null, 'Please continue.', 'Your reply had no tool call. Call a tool, or finish.'])
  return rounds(() => {
    script.turn([], text)
    if (push !== null) script.message(push)
  })
}

/** Two to four replies without calls, in turn. */
function repliesInTurn(script: Script): RoundPlan {
  const texts = Array.from({ length: script.random.between(2, 4) }, () => sentences(script, 3).join(' '))
  const round = () => {
    for (const text of texts) script.turn([], text)
  }
  return { period: texts.length, rounds: roundsOfLoop, round }
}

function nearlyIdenticalReplies(script: Script): RoundPlan {
  const { random, clock } = script
  const text = sentences(script, random.between(2, 6)).join(' ')
  return rounds((number) => {
    const mark = random.pick([`(attempt ${number + 1})`, clock.mark(), `${number + 1}.`])
    script.turn([], `${text} ${mark}`)
    script.message('Please continue.')
  })
}

/** The same reasoning each turn, a few words changed; the calls differ. */
function thoughtLoop(script: Script): RoundPlan {
  const { random, project } = script
  const thought = sentences(script, random.between(4, 7))
  return rounds(() => {
    const changed = thought.with(
      random.between(0, thought.length - 1),
      `Now ${random.pick(project.symbols)}.`,
    )
    script.turn([newLook(script)], changed.join(' '))
  }, roundsOfThought)
}

/** Word for word the same reasoning; the calls differ. */
function sameThought(script: Script): RoundPlan {
  const { random } = script
  const thought = sentences(script, random.between(4, 7)).join(' ')
  return rounds(() => script.turn([newLook(script)], thought), roundsOfThought)
}

/** "Done", says the model; the check says no, each time in the same words. */
function sameFailingCheck(script: Script, work: () => void, count: number, period: number): RoundPlan {
  const { random, project } = script
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 3))
  const said = `The check \`${project.test}\` failed.\n${failing.map((name) => `FAIL ${name}`).join('\n')}`
  const claims = [
    'All tests pass now.',
    'Done: the task is complete.',
    'I have fixed the problem.',
    'Everything works.',
  ]
  const round = () => {
    work()
    script.turn([], random.pick(claims))
    script.message(said)
  }
  return { period, rounds: count, round }
}

const claimOnly = (script: Script) => sameFailingCheck(script, () => undefined, roundsOfLoop, 1)
const claimAfterEdit = (script: Script) =>
  sameFailingCheck(script, () => script.turn([editOf(script)]), 2 * roundsOfLoop, 2)

export const repeatedTexts: readonly LoopClass[] = [
  loopClass({
    name: 'chanting',
    about: 'one or two sentences repeated twelve times and more within a reply',
    demand: 'laps',
    unit: 'reply',
    plan: chanting,
  }),
  loopClass({
    name: 'identical replies',
    about: 'the same reply without calls each turn',
    demand: 'laps',
    unit: 'reply',
    plan: identicalReplies,
  }),
  loopClass({
    name: 'replies in turn',
    about: 'two to four replies without calls go round',
    demand: 'laps',
    unit: 'reply',
    plan: repliesInTurn,
  }),
  loopClass({
    name: 'nearly identical replies',
    about: 'the same reply but for a number or a time',
    demand: 'laps',
    unit: 'reply',
    plan: nearlyIdenticalReplies,
  }),
  loopClass({
    name: 'thought loop',
    about: 'the same long reasoning with one sentence changed; the calls differ',
    demand: 'ever',
    plan: thoughtLoop,
  }),
  loopClass({
    name: 'same thought, other calls',
    about: 'the same long reasoning word for word; the calls differ',
    demand: 'ever',
    plan: sameThought,
  }),
  loopClass({
    name: 'same failing check',
    about: 'the model says that it is done and does nothing, the check fails with the same set',
    demand: 'laps',
    unit: 'reply',
    plan: claimOnly,
  }),
  loopClass({
    name: 'same failing check after edits',
    about: 'an edit, a claim, and the check fails with the same set',
    demand: 'ever',
    unit: 'reply',
    plan: claimAfterEdit,
  }),
]
