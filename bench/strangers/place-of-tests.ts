/** A folder in which the tests of a repository are run: its dependencies stay, and one tree after the other is laid into it. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers'
import type { Experiment } from './experiments.ts'
import type { LaidTree } from './lay-out.ts'

const timeLimitMs = 60_000
const installLimitMs = 300_000
const maxOutputCharacters = 200_000

const root = join(tmpdir(), 'donecheck-strangers')
const home = join(root, 'home')

export interface CommandEnd {
  readonly isGreen: boolean
  readonly output: string
}

export interface PlaceOfTests {
  readonly run: (tree: LaidTree) => Promise<CommandEnd>
}

/** The folder for the dependencies that this tree declares; undefined where they cannot be installed. */
export async function placeFor(
  name: string,
  tree: LaidTree,
  { command, install }: Experiment,
): Promise<PlaceOfTests | undefined> {
  const wanted = install === undefined ? '' : JSON.stringify(manifestOf(tree, install))
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  const folder = join(root, name.replace('/', '+'), key)
  mkdirSync(home, { recursive: true })
  if (wanted !== '' && !(await isInstalled(folder, wanted))) return undefined
  mkdirSync(folder, { recursive: true })
  return {
    run: (laid) => {
      lay(folder, laid)
      return runIn(folder, command, testEnvironment(), timeLimitMs)
    },
  }
}

/** What is needed at run time, and of what is needed for development the named packages, at the versions that were asked for. */
function manifestOf(tree: LaidTree, install: readonly string[]): object {
  const manifest: unknown = JSON.parse(tree.get('package.json')?.content.toString() ?? '{}')
  const declared = { ...recordOf(manifest, 'peerDependencies'), ...recordOf(manifest, 'devDependencies') }
  const devDependencies = Object.fromEntries(install.map((name) => [name, declared[name] ?? '*']))
  return { private: true, dependencies: recordOf(manifest, 'dependencies'), devDependencies }
}

function recordOf(value: unknown, key: string): Record<string, unknown> {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

async function isInstalled(folder: string, manifest: string): Promise<boolean> {
  const failed = join(folder, 'install-failed')
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return true
  if (existsSync(failed)) return false
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  const options = '--ignore-scripts --no-audit --no-fund --no-package-lock --legacy-peer-deps'
  const { isGreen, output } = await runIn(folder, `npm install ${options}`, process.env, installLimitMs)
  if (!isGreen) writeFileSync(failed, output)
  return isGreen
}

function lay(folder: string, tree: LaidTree): void {
  for (const name of readdirSync(folder))
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true, force: true })
  for (const [path, { mode, content }] of tree) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    if (mode === '120000') symlinkSync(content.toString(), file)
    else writeFileSync(file, content)
    if (mode === '100755') chmodSync(file, 0o755)
  }
}

/** Nothing of this process but the way to its Node, and no registry. */
function testEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    npm_config_offline: 'true',
    GOPROXY: 'off',
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

/** At the lowest priority, and ended as a whole group when its time is over. */
function runIn(
  folder: string,
  command: string,
  env: NodeJS.ProcessEnv,
  limitMs: number,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn('nice', ['-n', '15', 'sh', '-c', command], { cwd: folder, env, detached: true })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-maxOutputCharacters)
    }
    child.stdin.end()
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const timer = setTimeout(() => {
      output += `\nended after ${limitMs / 1000} s`
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, limitMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ isGreen: code === 0, output })
    })
  })
}
