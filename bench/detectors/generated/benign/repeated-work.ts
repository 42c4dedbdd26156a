/** Whole rounds that come back, and ought to. */
import type { BenignClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import type { Call } from '../world/dialect.ts'
import { editOf, readOf, workOn } from '../world/ordinary-work.ts'
import { searchText, testText } from '../world/texts.ts'
import { honestClass, times } from './honest.ts'

/** What was read is gone with the old messages, so it is read once more, in the same order. */
function readAgainAfterCompaction(script: Script): void {
  const reads = Array.from({ length: script.random.between(5, 10) }, () => readOf(script))
  const readAll = () => {
    for (const read of reads) script.turn([read])
  }
  readAll()
  times(script.random.between(1, 2), () => {
    workOn(script, script.random.between(5, 15))
    script.message('The earlier conversation was summarised to save room.')
    readAll()
  })
}

/** Types, lint, tests after each edit; all are content all the time. */
function checksAfterEachEdit(script: Script): void {
  const { project, dialect, random } = script
  const checks = [
    dialect.run(project.build, ''),
    dialect.run(`${project.lint} .`, 'No problems.'),
    dialect.run(project.test, 'ok'),
  ]
  const inOneTurn = random.chance(0.5)
  times(random.between(8, 15), () => {
    script.turn([editOf(script)])
    if (inOneTurn) script.turn(checks)
    else for (const check of checks) script.turn([check])
  })
}

function smallCommits(script: Script): void {
  const { random, project, dialect } = script
  times(random.between(8, 16), () => {
    script.turn([editOf(script)])
    script.turn([dialect.run('git add -A', '')])
    const title = `use ${random.pick(project.symbols)} in ${random.pick(project.paths)}`
    script.turn([dialect.run(`git commit -qm '${title}'`, '')])
  })
}

/** The change is put aside and taken back, to see which failures were there before: once or twice. */
function putAsideAndBack(script: Script): void {
  const { random, project, dialect } = script
  const [old = 'one', fresh = 'other'] = random.shuffled(project.testNames)
  times(random.between(1, 2), () => {
    script.turn([dialect.run(project.test, testText(project, [old, fresh], 70), 1)])
    script.turn([dialect.run('git stash', 'Saved working directory and index state')])
    script.turn([dialect.run(project.test, testText(project, [old], 70), 1)])
    script.turn([dialect.run('git stash pop', 'Dropped refs/stash@{0}')])
  })
  times(random.between(2, 5), () => script.turn([editOf(script)]))
  script.turn([dialect.run(project.test, testText(project, [old], 70), 1)])
}

/** Two tries of the same way, then another way: it took three errors to learn. */
function learnsFromErrors(script: Script): void {
  const { random, project, dialect } = script
  times(random.between(3, 6), () => {
    const module = random.pick(project.symbols)
    const error = `ModuleNotFoundError: No module named '${module}'`
    times(random.between(2, 3), () => {
      script.turn([dialect.run(`python -c "import ${module}; print(${random.between(1, 9999)})"`, error, 1)])
    })
    script.turn([dialect.run(`pip install ${module}`, `Successfully installed ${module}`)])
    script.turn([dialect.run(`python -c "import ${module}"`, '')])
  })
}

/** Nobody wrote down what came back: unknown is not equal. */
function outcomesNotRecorded(script: Script): void {
  const { random, project, dialect } = script
  const unknown = (call: Call): Call => ({ ...call, result: null, isError: false })
  times(random.between(8, 16), () => {
    script.turn([unknown(editOf(script))])
    script.turn([unknown(dialect.run(project.test, ''))])
  })
}

/** The same query of a store in which things happen. */
function watchedQuery(script: Script): void {
  const { random, project } = script
  const sql = `select count(*) from ${random.pick(project.symbols)} where state = 'open'`
  let open = random.between(200, 900)
  times(random.between(10, 20), () => {
    script.turn([editOf(script)])
    open -= random.between(1, 9)
    script.turn([{ tool: 'query_database', args: { sql }, result: `[{"count":${open}}]`, isError: false }])
  })
}

/** The hits of one search are worked off: fewer each time it is made again. */
function searchUntilNoneLeft(script: Script): void {
  const { random, project, dialect } = script
  const pattern = random.pick(project.symbols)
  let hits = searchText(random, project, pattern, random.between(8, 20)).split('\n')
  while (hits.length > 0) {
    script.turn([dialect.search(pattern, 'src', hits.join('\n'))])
    script.turn([editOf(script)])
    hits = hits.slice(random.between(1, 2))
  }
  script.turn([dialect.search(pattern, 'src', '')])
}

export const repeatedWork: readonly BenignClass[] = [
  honestClass({
    name: 'read again after compaction',
    about: 'five to ten files are read again, once or twice, because the messages that held them are gone',
    write: readAgainAfterCompaction,
  }),
  honestClass({
    name: 'checks after each edit',
    about: 'types, lint and tests after each of 8 to 15 edits, all content',
    write: checksAfterEachEdit,
  }),
  honestClass({
    name: 'small commits',
    about: 'edit, add, commit, 8 to 16 times; git has nothing to say',
    write: smallCommits,
  }),
  honestClass({
    name: 'put aside and taken back',
    about: 'the change is stashed and restored once or twice to compare the failures',
    write: putAsideAndBack,
  }),
  honestClass({
    name: 'learns from errors',
    about: 'two or three tries with the same error, then the cause is removed; three to six times',
    write: learnsFromErrors,
  }),
  honestClass({
    name: 'outcomes not recorded',
    about: 'edit and test in turn; what came back is not known',
    write: outcomesNotRecorded,
  }),
  honestClass({
    name: 'query that changes',
    about: 'the same query after each edit, another count each time',
    write: watchedQuery,
  }),
  honestClass({
    name: 'search until none is left',
    about: 'the same search after each edit, fewer hits each time',
    write: searchUntilNoneLeft,
  }),
]
