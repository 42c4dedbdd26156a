/** From a fresh clone of somebody's project to its first verified run: what is typed, how long it takes, what is configured. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { configFileNames } from '../packages/donecheck/src/config/index.ts'

export interface FirstRun {
  /** As a person types them, in the fresh clone. */
  readonly commands: readonly string[]
  readonly seconds: number
  /** Of it in the agent: what would pass without donecheck too. */
  readonly agentSeconds: number
  readonly configurationLines: number
  readonly exitCode: number | null
  /** The closing line. */
  readonly end: string
}

const project = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'cart.js': 'export const total = (prices) => prices.slice(1).reduce((sum, price) => sum + price, 0)\n',
  'cart.test.js': `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { total } from './cart.js'
test('adds the prices', () => equal(total([1, 2, 3]), 6))
`,
} as const

/** A scripted agent: it says that it is done before it is, and mends the bug when it is told. */
const agent = `#!/bin/sh
prompt=$(cat)
case "$prompt" in *"adds the prices"*) sed -i 's/prices.slice(1)/prices/' cart.js;; esac
echo "All done."
`

const bin = join(import.meta.dirname, '../packages/donecheck/bin/donecheck.js')

/** In folders of its own, which are gone afterwards. */
export function firstRun(): FirstRun {
  const root = mkdtempSync(join(tmpdir(), 'donecheck-first-run-'))
  try {
    const [origin, clone, tools] = [join(root, 'origin'), join(root, 'clone'), join(root, 'bin')]
    for (const folder of [origin, tools]) mkdirSync(folder)
    for (const [file, text] of Object.entries(project)) writeFileSync(join(origin, file), text)
    const git = (folder: string, ...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid', ...words], {
        cwd: folder,
        stdio: 'pipe',
      })
    git(origin, 'init', '--quiet')
    git(origin, 'add', '--all')
    git(origin, 'commit', '--quiet', '--message', 'one')
    git(root, 'clone', '--quiet', origin, clone)
    program(join(tools, 'scripted-agent'), agent)
    program(join(tools, 'donecheck'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
    return measure(clone, {
      HOME: root,
      PATH: [tools, join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter),
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function measure(clone: string, env: Readonly<Record<string, string>>): FirstRun {
  const commands = ['donecheck run --agent scripted-agent "Fix the failing test."']
  const startedMs = performance.now()
  const ended = commands.map((line) => spawnSync('sh', ['-c', line], { cwd: clone, env, encoding: 'utf8' }))
  const seconds = (performance.now() - startedMs) / 1000
  const events = spawnSync('donecheck', ['show', 'last', '--json'], {
    cwd: clone,
    env,
    encoding: 'utf8',
  }).stdout
  return {
    commands,
    seconds,
    agentSeconds: agentMs(events) / 1000,
    configurationLines: configFileNames
      .filter((name) => existsSync(join(clone, name)))
      .reduce((sum, name) => sum + readFileSync(join(clone, name), 'utf8').trim().split('\n').length, 0),
    exitCode: ended.at(-1)?.status ?? null,
    end:
      ended
        .at(-1)
        ?.stdout.split('\n')
        .findLast((line) => line.startsWith('→')) ?? '',
  }
}

function agentMs(events: string): number {
  return events.split('\n').reduce((sum, line) => {
    const [, duration = '0'] = /^(?=.*"type":"model-replied").*"durationMs":([\d.]+)/.exec(line) ?? []
    return sum + Number(duration)
  }, 0)
}

function program(file: string, text: string): void {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

const page = join(import.meta.dirname, '../docs/measured/first-run.md')

if (import.meta.main) {
  const { commands, seconds, agentSeconds, configurationLines, exitCode, end } = firstRun()
  const own = seconds - agentSeconds
  const lines = [
    '# The first run',
    '',
    'From a fresh clone of a small project with a failing test to the first verified run, with a scripted agent that claims to be done too early. `npm run bench:first-run` writes this page.',
    '',
    '<!-- prettier-ignore -->',
    '| what | aim | measured |',
    '| --- | --- | --- |',
    `| commands typed | at most 3 | ${commands.length} |`,
    `| seconds beside the agent's own | at most 60 | ${own.toFixed(1)} |`,
    `| lines of configuration | 0 | ${configurationLines} |`,
    '',
    '```console',
    ...commands.map((line) => `$ ${line}`),
    end,
    '```',
    '',
    `Node ${process.version.slice(1)}, ${process.platform}; the agent itself took ${agentSeconds.toFixed(1)} s. The machine has ${cpus().length} cores and a load of ${Math.round(loadavg()[0] ?? 0)}; most of the time goes into the runs of \`npm test\`.`,
    '',
  ]
  writeFileSync(page, lines.join('\n'))
  console.log(lines.join('\n'))
  process.exitCode = exitCode === 0 && commands.length <= 3 && own <= 60 && configurationLines === 0 ? 0 : 1
}
