/** The test command is the same; the work is not. */
import type { BenignClass } from './generated-run.ts'
import { type Script, duration } from './script.ts'
import { editOf, sourceText, testText } from './world.ts'
import { honestClass, times } from './waiting.ts'

function test(
  { random, project, dialect }: Script,
  failing: readonly string[],
  total: number,
  timed: boolean,
) {
  const text = testText(project, failing, total, timed ? duration(random) : undefined)
  return dialect.run(project.test, text, failing.length === 0 ? 0 : 1)
}

/** One failing test fewer each round. */
function fewerFailures(script: Script): void {
  const { random, project } = script
  const failing = random.shuffled(project.testNames).slice(0, random.between(8, 16))
  const timed = random.chance(0.5)
  times(failing.length + 1, (at) => {
    script.turn([editOf(script)])
    script.turn([test(script, failing.slice(at), 120, timed)])
  })
}

/** As many failures as before, but others. */
function otherFailures(script: Script): void {
  const { random, project } = script
  const count = random.between(1, 3)
  const names = random.shuffled(project.testNames)
  times(random.between(8, 14), (at) => {
    script.turn([editOf(script)])
    script.turn([test(script, names.slice(at, at + count), 120, false)])
  })
}

/** A hard one: some rounds with the very same failure and real edits between, then it moves. */
function slowProgress(script: Script): void {
  const { random, project } = script
  const path = random.pick(project.paths)
  const failing = random.shuffled(project.testNames).slice(0, random.between(3, 5))
  failing.forEach((_, fixed) => {
    times(random.between(2, 7), () => {
      script.turn([editOf(script, path)])
      script.turn([test(script, failing.slice(fixed), 90, false)])
    })
  })
  script.turn([editOf(script, path)])
  script.turn([test(script, [], 90, false)])
}

/** Test, test again, edit: all green all the time, a refactoring in small steps. */
function testTestEdit(script: Script): void {
  times(script.random.between(10, 15), () => {
    script.turn([script.dialect.run(script.project.test, 'ok')])
    script.turn([script.dialect.run(script.project.test, 'ok')])
    script.turn([editOf(script)])
  })
}

function buildsWithSameOk(script: Script): void {
  times(script.random.between(12, 25), () => {
    script.turn([editOf(script)])
    script.turn([script.dialect.run(script.project.build, 'ok')])
  })
}

function statusBetweenEdits(script: Script): void {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  times(random.between(10, 20), () => {
    script.turn([editOf(script, path)])
    script.turn([dialect.run('git status --short', ` M ${path}`)])
  })
}

/** The file is read after each edit, and shows it. */
function readAfterEdit(script: Script): void {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  times(random.between(8, 20), () => {
    script.turn([editOf(script, path)])
    script.turn([dialect.read(path, sourceText(random, project, 12))])
  })
}

/** The lines that are read lie elsewhere, so they look the same after each edit. */
function sameLinesAfterEdit(script: Script): void {
  const { random, project, dialect } = script
  const path = random.pick(project.paths)
  const lines = sourceText(random, project, 12, 40)
  times(random.between(8, 16), () => {
    script.turn([editOf(script, path)])
    script.turn([dialect.read(path, lines, 40, 12)])
  })
}

/** Fifteen files, written once as a sketch and once in full. */
function writtenTwice(script: Script): void {
  const { random, project, dialect } = script
  const paths = project.paths.slice(0, 15)
  times(2, (pass) => {
    for (const path of paths)
      script.turn([dialect.write(path, sourceText(random, project, 3 + 9 * pass), 'ok')])
  })
}

function manyEditsOfOneFile(script: Script): void {
  const path = script.random.pick(script.project.paths)
  times(script.random.between(20, 40), () => script.turn([editOf(script, path)]))
}

/** git bisect: the same two commands in turn; what they say changes. */
function bisect(script: Script): void {
  const { random, project, dialect } = script
  let left = random.between(200, 900)
  while (left > 0) {
    const isBad = random.chance(0.5)
    script.turn([test(script, isBad ? [random.pick(project.testNames)] : [], 50, true)])
    left = Math.floor(left / 2)
    const said = `Bisecting: ${left} revisions left to test after this\n[${random.hex(7)}]`
    script.turn([dialect.run(`git bisect ${isBad ? 'bad' : 'good'}`, said)])
  }
}

export const editsAndTests: readonly BenignClass[] = [
  honestClass({
    name: 'edit and test, fewer failures',
    about: 'the number of failures falls by one a round',
    write: fewerFailures,
  }),
  honestClass({
    name: 'edit and test, other failures',
    about: 'the number stays, the set changes each round',
    write: otherFailures,
  }),
  honestClass({
    name: 'edit and test, slow progress',
    about: 'two to seven rounds with the same failure and real edits, then one fewer',
    write: slowProgress,
  }),
  honestClass({
    name: 'test, test, edit',
    about: 'the suite prints "ok" all the time; the edits are the progress',
    write: testTestEdit,
  }),
  honestClass({
    name: 'builds with the same ok',
    about: '12 to 25 edits with a build after each',
    write: buildsWithSameOk,
  }),
  honestClass({
    name: 'git status between edits',
    about: 'the same short status after each edit of one file',
    write: statusBetweenEdits,
  }),
  honestClass({
    name: 'read after each edit',
    about: 'the file is read again and shows the edit',
    write: readAfterEdit,
  }),
  honestClass({
    name: 'same lines after each edit',
    about: 'the part that is read again is not the part that was edited',
    write: sameLinesAfterEdit,
  }),
  honestClass({
    name: '30 writes over 15 paths',
    about: 'a sketch of each file, then each file in full',
    write: writtenTwice,
  }),
  honestClass({
    name: 'many edits of one file',
    about: '20 to 40 different edits, the tool says the same of each',
    write: manyEditsOfOneFile,
  }),
  honestClass({
    name: 'bisecting',
    about: 'a test and a verdict in turn; fewer revisions each time',
    write: bisect,
  }),
]
