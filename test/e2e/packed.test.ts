/** The packages as a user gets them: one file each, installed where nothing else is. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { repositoryRoot } from '../architecture/read-tree.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'donecheck-packed-'))
  const script = path.join(repositoryRoot, 'scripts/pack.ts')
  execFileSync(process.execPath, [script, root], { stdio: 'pipe' })
}, 600_000)
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

function unpack(modules: string, name: string, tarball: string): void {
  const target = path.join(modules, name)
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', path.join(root, tarball), '-C', target, '--strip-components=1'])
}

/** The packed file unpacked where npm would put it, and the packages of others of this checkout. */
function givenProject(folder: string, name: string, tarball: string): void {
  const modules = path.join(folder, 'node_modules')
  unpack(modules, name, tarball)
  // Packages of others are found from a folder above; ours are only there as they were packed.
  const others = readdirSync(path.join(repositoryRoot, 'node_modules')).filter(
    (entry) => !/^\.|donecheck$/.test(entry),
  )
  for (const other of others)
    symlinkSync(path.join(repositoryRoot, 'node_modules', other), path.join(modules, other))
}

const strict = {
  compilerOptions: {
    ...{ strict: true, skipLibCheck: false, noEmit: true },
    ...{ target: 'ES2024', lib: ['ES2024', 'ESNext.Disposable', 'DOM'], types: ['node'] },
    ...{ module: 'nodenext', moduleResolution: 'nodenext', noUncheckedIndexedAccess: true },
    typeRoots: [path.join(repositoryRoot, 'node_modules/@types')],
  },
  include: ['*/main.ts'],
}

const imports: readonly (readonly [name: string, tarball: string, text: string])[] = [
  [
    'donecheck',
    'donecheck-0.1.0.tgz',
    "import { createAgentLoop, scriptedAgent, terminalApprover } from 'donecheck'\nexport const loop = createAgentLoop({ agent: scriptedAgent(['done']) })\nvoid terminalApprover",
  ],
  [
    '@donecheck/engine',
    'donecheck-engine-0.1.0.tgz',
    "import { createAgentLoop, scriptedAgent } from '@donecheck/engine'\nimport { fileExists } from '@donecheck/engine/verify'\nexport const loop = createAgentLoop({ agent: scriptedAgent(['done']), hardVerifiers: [fileExists('a')] })",
  ],
  [
    '@donecheck/agents',
    'donecheck-agents-0.1.0.tgz',
    "import { codexAgent } from '@donecheck/agents/codex'\nexport const agent = codexAgent",
  ],
  [
    '@donecheck/conformance',
    'donecheck-conformance-0.1.0.tgz',
    "import { cases, runConformance } from '@donecheck/conformance'\nexport const count = cases.length\nvoid runConformance",
  ],
  [
    '@donecheck/fleet',
    'donecheck-fleet-0.1.0.tgz',
    "import { fleetClient } from '@donecheck/fleet/internal/coordinator'\nimport { startWorker } from '@donecheck/fleet/internal/worker'\nexport const client = fleetClient('http://127.0.0.1:8080')\nvoid startWorker",
  ],
]

describe('given each package from its one file, and nothing of the others beside it', () => {
  it('then a strict project compiles against it', () => {
    const folder = path.join(root, 'strict')
    for (const [name, tarball, text] of imports) {
      const project = path.join(folder, name.replace('/', '-'))
      givenProject(project, name, tarball)
      writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }')
      writeFileSync(path.join(project, 'main.ts'), `${text}\n`)
    }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(strict))
    // The version before the one that wrote these types: many have it still.
    const compiler = path.join(repositoryRoot, 'node_modules/typescript/bin/tsc6')
    // One program for all: what they have in common is checked once.
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })
})

const guide = path.join(repositoryRoot, 'docs/guide/library.md')
const programs = [...readFileSync(guide, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
)
const packages = ['core', 'engine', 'agents', 'server', 'fleet', 'conformance', 'donecheck']
const manifest = z.object({ name: z.string(), exports: z.record(z.string(), z.unknown()) })

describe('given all packages from their files in one project', () => {
  const folder = () => path.join(root, 'library')
  beforeAll(() => {
    for (const name of packages) {
      const scoped = name === 'donecheck' ? name : `@donecheck/${name}`
      const tarball = `donecheck-${name}-0.1.0.tgz`.replace('donecheck-donecheck', 'donecheck')
      if (name === 'core') givenProject(folder(), scoped, tarball)
      else unpack(path.join(folder(), 'node_modules'), scoped, tarball)
      linkOwnVersions(
        path.join(repositoryRoot, 'packages', name),
        path.join(folder(), 'node_modules', scoped),
      )
    }
    writeFileSync(path.join(folder(), 'package.json'), '{ "type": "module" }')
    for (const [index, text] of programs.entries())
      writeFileSync(path.join(folder(), `program-${index}.ts`), text)
  })

  it('then every program of the guide and every public subpath compiles', () => {
    const subpaths = packages.flatMap((name) => {
      const file = path.join(repositoryRoot, 'packages', name, 'package.json')
      const own = manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
      const entries = Object.keys(own.exports).filter((entry) => !/\.json$|\*/.test(entry))
      return entries.map((entry) => path.posix.join(own.name, entry))
    })
    const lines = subpaths.map((subpath, index) => `export * as door${index} from '${subpath}'`)
    writeFileSync(path.join(folder(), 'subpaths.ts'), `${lines.join('\n')}\n`)
    const settings = { compilerOptions: strict.compilerOptions, include: ['*.ts'] }
    writeFileSync(path.join(folder(), 'tsconfig.json'), JSON.stringify(settings))
    const compiler = path.join(repositoryRoot, 'node_modules/typescript/bin/tsc6')
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder()], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  const ends = [
    'verified 0 after 2 turns',
    'passed: ',
    'verified',
    'verified',
    'exhausted then verified',
    'turn 2: ask a person',
    'a claim with a red check goes on',
  ]
  it.each(programs.map((_, index) => index))(
    'then program %i of the guide does what it promises',
    (index) => {
      const ran = spawnSync(process.execPath, [`program-${index}.ts`], { cwd: folder(), encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      expect(ran.stdout.trim().split('\n').at(-1)).toContain(ends[index])
      expect(ran.status).toBe(0)
    },
  )
})

/** Where this checkout has two versions of a package, ours finds the one that it names. */
function linkOwnVersions(from: string, to: string): void {
  const own = path.join(from, 'node_modules')
  if (!existsSync(own)) return
  mkdirSync(path.join(to, 'node_modules'), { recursive: true })
  for (const name of readdirSync(own).filter((entry) => !/^[.@]/.test(entry)))
    symlinkSync(path.join(own, name), path.join(to, 'node_modules', name))
}

/** npm was seen to wait for ever, with no connection open. */
const longestInstallMs = 240_000

/** npm takes what it has fetched before, such as for this checkout; without it and without a registry nothing is installed. */
function installed(...tarballs: readonly string[]): { readonly folder: string } | { readonly why: string } {
  const folder = path.join(root, 'installed')
  const words = ['install', '--global', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund']
  const files = tarballs.map((tarball) => path.join(root, tarball))
  const { status, stderr, error } = spawnSync('npm', [...words, ...files], {
    encoding: 'utf8',
    timeout: longestInstallMs,
  })
  return status === 0 ? { folder } : { why: error?.message ?? stderr }
}

describe('given donecheck and its fleet installed by npm from a file each', () => {
  it('then all that they need is there, the first command of the README ends with a check, the page shows it, and the fleet is found', (test) => {
    const made = installed('donecheck-0.1.0.tgz', 'donecheck-fleet-0.1.0.tgz')
    if ('why' in made) return test.skip(`npm could not install: ${made.why}`)
    const empty = readdirSync(path.join(made.folder, 'lib'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .filter((entry) => readdirSync(path.join(entry.parentPath, entry.name)).length === 0)
    expect(empty).toEqual([])
    const project = path.join(root, 'project')
    mkdirSync(project, { recursive: true })
    const command = path.join(made.folder, 'bin/donecheck')
    const words = ['run', '--until', 'test -f done.txt', '--agent', 'touch done.txt', 'Create done.txt.']
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, XDG_STATE_HOME: path.join(root, 'state') }
    const run = (...typed: readonly string[]) =>
      spawnSync(process.execPath, [command, ...typed], { cwd: project, env, encoding: 'utf8' })
    const ran = run(...words)
    expect(ran.stderr + ran.stdout).toContain('→ verified after 1 turn')
    expect(ran.status).toBe(0)
    expect(run('show', 'last', '--html', 'run.html').stderr).toBe('')
    expect(readFileSync(path.join(project, 'run.html'), 'utf8')).toContain('Create done.txt.')
    // Refused by the library's copy within the fleet's package: the command knows its errors for errors of usage.
    // The starter cases are in the program: only the key is missing.
    expect(run('judge', 'calibrate', '--judge', 'openai/gpt-5').stderr).toContain('set OPENAI_API_KEY')
    const refused = run('list', '--store', 'postgres://127.0.0.1/runs?tenant=-')
    expect(refused.stderr).toMatch(/^donecheck: tenant must be a name of at most .*\n$/)
    expect(refused.status).toBe(2)
  })
})

describe('given a release that is rehearsed', () => {
  it('then npm would publish every package, each after those that it needs', () => {
    const script = path.join(repositoryRoot, 'scripts/release.ts')
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const names = stdout.trim().split('\n')
    expect(names.map((line) => line.replace(/@[^@]*$/, ''))).toEqual([
      ...[
        '+ @donecheck/core',
        '+ @donecheck/engine',
        '+ @donecheck/agents',
        '+ @donecheck/server',
        '+ @donecheck/fleet',
        '+ @donecheck/conformance',
        '+ donecheck',
      ],
    ])
  })
})
