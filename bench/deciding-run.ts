/**
 * What whole runs cost in real projects, against a bare loop that runs the same checks as often: the wall clock and the processor.
 * `node bench/deciding-run.ts [--turns 1,3,10] [--command NAME=PATH]… FOLDER::CHECK::TEST…`: each folder is a clone with its dependencies
 * installed, each check a line that is green in it, each test the path of a test file for Mocha or Vitest that is added for the time of the
 * measurement and is red until the last turn. Without `--command` the command of this checkout is measured.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { rounded } from './table.ts'

interface Cost {
  readonly wallSeconds: number
  /** Of all processes that were started and waited for. */
  readonly processorSeconds: number
  readonly exitCode: number | null
}

interface Project {
  readonly folder: string
  readonly check: string
  readonly test: string
}

const own = join(import.meta.dirname, '../packages/donecheck/bin/donecheck.js')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '1,3,10' },
    command: { type: 'string', multiple: true, default: [`now=${own}`] },
  },
})

const scratch = mkdtempSync(join(tmpdir(), 'deciding-run-'))
const agent = join(scratch, 'agent.sh')
// Each turn changes the product, and the check wants the change of the last turn, so that no turn is the last one by accident.
writeFileSync(
  agent,
  `for file in done-in-turn.*; do n=$(tr -dc 0-9 < $file); n=$((n + 1)); sed -i "s/[0-9][0-9]*/$n/" $file; done; echo "turn $n is done"\n`,
)

/** @param words run by bash in the folder; @param home of this measurement alone */
function measure(folder: string, home: string, line: string): Cost {
  const startedMs = performance.now()
  const ran = spawnSync('bash', ['-c', `${line} >&2; code=$?; times; exit $code`], {
    cwd: folder,
    env: {
      ...process.env,
      HOME: home,
      PATH: [join(process.execPath, '..'), process.env['PATH']].join(delimiter),
    },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  const wallSeconds = (performance.now() - startedMs) / 1000
  return { wallSeconds, processorSeconds: processorSecondsIn(ran.stdout), exitCode: ran.status }
}

/** The second line of bash's \`times\` is about the children: user and system, as \`0m1.234s\`. */
function processorSecondsIn(output: string): number {
  const [, children = ''] = output.trim().split('\n').slice(-2)
  return [...children.matchAll(/(\d+)m([\d.]+)s/gu)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}

/** Vitest runs the test if its name has `.test.`, otherwise Mocha does. */
function isOfVitest({ test }: Project): boolean {
  return test.includes('.test.')
}

/** The source file that the test imports. */
const product = (project: Project) => (isOfVitest(project) ? 'done-in-turn.ts' : 'done-in-turn.js')

function testText(project: Project, turns: number): string {
  const up = '../'.repeat(project.test.split('/').length - 1)
  const imports = isOfVitest(project)
    ? `import { it } from 'vitest'\nimport { turn } from '${up}done-in-turn'\n`
    : `const { turn } = require('${up}done-in-turn.js')\n`
  return `${imports}it('is done', () => { if (turn() !== ${turns}) throw new Error('not yet') })\n`
}

/** Runs the check before the first turn and after each turn, as donecheck does. */
function bareLoop(project: Project, turns: number): string {
  const { check } = project
  return `{ ${check}; for turn in $(seq ${turns}); do bash ${agent}; ${check}; done; }`
}

function withDonecheck(project: Project, turns: number, command: string): string {
  const words = [
    process.execPath,
    command,
    ...[
      'run',
      '--yes',
      '--max-turns',
      String(turns + 1),
      '--max-seconds',
      '7200',
      '--verify-timeout',
      '3600',
    ],
    ...['--agent', `bash ${agent} {prompt}`, '--until', project.check, 'Do the next step.'],
  ]
  return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
}

const commands = values.command.map((pair): readonly [name: string, path: string] => {
  const [name = '', path = ''] = pair.split('=')
  return [name, path]
})

function rowsOf(project: Project, turns: number): void {
  const name = `${basename(project.folder)}, ${turns} turns`
  const named = isOfVitest(project) ? 'export const turn =' : 'exports.turn ='
  const reset = () => writeFileSync(join(project.folder, product(project)), `${named} () => 0\n`)
  writeFileSync(join(project.folder, project.test), testText(project, turns))
  const homeOf = (of: string) => {
    const home = join(scratch, `${basename(project.folder)}-${of}`)
    mkdirSync(home, { recursive: true })
    return home
  }
  const asked = (of: string, line: string) => {
    reset()
    const cost = measure(project.folder, homeOf(of), line)
    reset()
    return cost
  }
  const bare = asked('bare', bareLoop(project, turns))
  print(`${name}: bare loop`, bare)
  for (const [of, path] of commands)
    for (const state of ['first run', 'later run'])
      print(`${name}: ${of}, ${state}`, asked(of, withDonecheck(project, turns, path)), bare)
}

function print(name: string, { wallSeconds, processorSeconds, exitCode }: Cost, bare?: Cost): void {
  const ratios =
    bare === undefined
      ? ''
      : `  wall ×${rounded(wallSeconds / bare.wallSeconds, 2)}  processor ×${rounded(processorSeconds / bare.processorSeconds, 2)}`
  console.log(
    `${name.padEnd(48)} ${wallSeconds.toFixed(1).padStart(7)} s wall ${processorSeconds.toFixed(1).padStart(7)} s processor  exit ${exitCode}${ratios}`,
  )
}

try {
  for (const pair of positionals) {
    const [folder = '', check = '', test = ''] = pair.split('::')
    for (const turns of values.turns.split(',')) rowsOf({ folder, check, test }, Number(turns))
    for (const path of [product({ folder, check, test }), test]) rmSync(join(folder, path), { force: true })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
