/** Calls whose answer stays the same however often they are made: what loops are made of. */
import { canonicalJson } from '@donecheck/core/base'
import type { Script } from '../script.ts'
import type { Call } from './dialect.ts'
import { readOf, searchOf } from './ordinary-work.ts'
import { listText, sourceText, testText } from './texts.ts'

/** So many different calls; none of them changes anything. */
export function restlessCalls(script: Script, count: number): readonly Call[] {
  const calls = new Map<string, Call>()
  while (calls.size < count) {
    const call = script.random.pick(makers)(script)
    const key = call.tool + canonicalJson(call.args)
    if (!calls.has(key)) calls.set(key, call)
  }
  return [...calls.values()]
}

type Maker = (script: Script) => Call

const makers: readonly Maker[] = [
  readOf,
  readOf,
  searchOf,
  testOf,
  failedEditOf,
  missingFileOf,
  statusOf,
  sameWriteOf,
  pageOf,
  listingOf,
]

/** A test command that fails in the same way every time. */
export function testOf({ random, project, dialect }: Script): Call {
  const failing = random.shuffled(project.testNames).slice(0, random.between(1, 3))
  const [only] = failing
  const command = random.chance(0.5) || only === undefined ? project.test : `${project.test} -k '${only}'`
  return dialect.run(command, testText(project, failing, 40), 1)
}

/** The text to replace is not there. */
function failedEditOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  return dialect.edit(
    path,
    `${one}(input)`,
    `${two}(input)`,
    `Error: the text to replace was not found in ${path}`,
  )
}

function missingFileOf({ random, project, dialect }: Script): Call {
  const path = `${random.pick(project.paths)}.bak${random.between(1, 99)}`
  return dialect.read(path, `Error: ENOENT: no such file or directory, open '${path}'`)
}

function statusOf({ random, project, dialect }: Script): Call {
  const path = random.pick(project.paths)
  return random.pick([
    () => dialect.run('git status --short', ` M ${path}`),
    () => dialect.run(`git diff --stat ${path}`, ` ${path} | 4 ++--`),
    () => dialect.run(`${project.lint} ${path}`, `${path}: 2 problems (2 errors, 0 warnings)`, 1),
    () =>
      dialect.run(
        project.build,
        `${path}(12,5): error: cannot find name '${random.pick(project.symbols)}'`,
        2,
      ),
  ])()
}

/** A file is written with what is in it already. */
function sameWriteOf({ random, project, dialect }: Script): Call {
  return dialect.write(random.pick(project.paths), sourceText(random, project, 6))
}

function pageOf({ random, project }: Script): Call {
  const page = random.pick(project.symbols)
  const url = `https://docs.example.com/${page}`
  return {
    tool: 'web_fetch',
    args: { url, format: 'markdown' },
    result: `# ${page}\n\n${sourceText(random, project, 5)}`,
    isError: false,
  }
}

function listingOf({ random, project, dialect }: Script): Call {
  return dialect.list(
    `${random.pick(project.paths).split('/')[0] ?? '.'}/${random.pick(project.symbols)}`,
    listText(random, project),
  )
}
