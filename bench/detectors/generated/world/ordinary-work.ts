/** What an agent does all day: it looks around, edits, tests, and no two stretches are alike. */
import type { Script } from '../script.ts'
import { duration } from './clock.ts'
import type { Call } from './dialect.ts'
import { listText, searchText, sourceText, testText } from './texts.ts'

/** Writes ordinary work of exactly so many calls. */
export function workOn(script: Script, calls: number): void {
  const { random } = script
  const end = script.calls + calls
  const suite = suiteOf(script)
  while (script.calls < end) {
    const room = end - script.calls
    const batch = random.chance(0.15) ? Math.min(room, random.between(2, 4)) : 1
    script.turn(Array.from({ length: batch }, () => someCall(script, suite)))
  }
}

/** Honest work before the pattern: 0 to 40 calls. */
export function workBefore(script: Script): void {
  workOn(script, script.random.between(0, 40))
}

/** A suite whose failures change with the edits. */
interface Suite {
  failing: readonly string[]
  readonly total: number
  hasEdits: boolean
}

function suiteOf({ random, project }: Script): Suite {
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 6))
  return { failing, total: random.between(20, 300), hasEdits: false }
}

function someCall(script: Script, suite: Suite): Call {
  const { random } = script
  const dice = random.next()
  if (dice < 0.3) return readOf(script)
  if (dice < 0.45) return searchOf(script)
  if (dice < 0.53) return listOf(script)
  if (dice < 0.6) return historyOf(script)
  if (suite.hasEdits && dice < 0.75) return testAfterEdits(script, suite)
  suite.hasEdits = true
  return editOf(script)
}

export function readOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  const lines = random.between(3, 25)
  if (random.chance(0.5)) return dialect.read(path, sourceText(random, project, lines))
  const from = random.between(1, 900)
  return dialect.read(path, sourceText(random, project, lines, from), from, lines)
}

export function searchOf({ random, project, dialect }: Script): Call {
  const pattern = `${random.pick(project.symbols)}${random.pick(['', '(', ' =', ' from', ':'])}`
  const where = random.pick(['.', 'src', ...project.paths.slice(0, 9)])
  return dialect.search(pattern, where, searchText(random, project, pattern, random.between(0, 7)))
}

/** A look that no earlier call of the run took: it changes nothing. */
export function newLook({ random, project, dialect, calls }: Script): Call {
  if (random.chance(0.5)) {
    const [path, from] = [random.pick(project.paths), 7 * calls + 1]
    return dialect.read(path, sourceText(random, project, 7, from), from, 7)
  }
  const pattern = `${random.pick(project.symbols)}(${calls}`
  return dialect.search(pattern, 'src', searchText(random, project, pattern, random.between(0, 4)))
}

function listOf({ random, project, dialect }: Script): Call {
  const folder = random.pick(project.paths).split('/').slice(0, -1).join('/')
  return dialect.list(
    `${folder}${random.pick(['', '/', `/${random.pick(project.symbols)}`])}`,
    listText(random, project),
  )
}

function historyOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  const command = random.pick([
    `git diff ${path}`,
    `git log --oneline -${random.between(3, 40)}`,
    `git blame ${path}`,
    `wc -l ${path}`,
  ])
  const output = command.startsWith('wc')
    ? `${random.between(10, 900)} ${path}`
    : sourceText(random, project, random.between(2, 8))
  return dialect.run(command, output)
}

/** An edit like no other. */
export function editOf({ random, project, dialect }: Script, path = random.pick(project.paths)): Call {
  const number = random.between(1, 9999)
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  return dialect.edit(path, `return ${one}(${number})`, `return ${two}(${one}(${number + 1}))`)
}

function testAfterEdits(script: Script, suite: Suite): Call {
  const { random, project, dialect } = script
  suite.hasEdits = false
  if (random.chance(0.7)) {
    const kept = suite.failing.filter(() => random.chance(0.6))
    const fresh = random.chance(0.3) ? [random.pick(project.testNames)] : []
    suite.failing = [...new Set([...kept, ...fresh])]
  }
  const exitCode = suite.failing.length === 0 ? 0 : 1
  return dialect.run(project.test, testText(project, suite.failing, suite.total, duration(random)), exitCode)
}
