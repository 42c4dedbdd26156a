/** Projects on disk: a git repository each, with installed runners. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Place } from './apply.ts'
import type { SampleProject } from './projects/project.ts'

const installed = fileURLToPath(new URL('../../node_modules', import.meta.url))

const packageSchema = z.object({
  name: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
})

const author = {
  GIT_AUTHOR_NAME: 'shop',
  GIT_AUTHOR_EMAIL: 'shop@example.com',
  GIT_COMMITTER_NAME: 'shop',
  GIT_COMMITTER_EMAIL: 'shop@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** Whether what it is tested with is on this machine. */
export function isRunnable({ probe: [program, ...args] }: SampleProject): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** Makes the untouched project below `root` once. */
export function makeTemplate(project: SampleProject, root: string): string {
  const folder = path.join(root, 'templates', project.name)
  if (existsSync(folder)) return folder
  for (const [name, text] of Object.entries(project.files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (project.executable?.includes(name) === true) chmodSync(file, 0o755)
  }
  for (const name of project.packages ?? []) install(name, path.join(folder, 'node_modules'))
  const env = { ...process.env, ...author, HOME: root }
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'shop'],
  ])
    execFileSync('git', args, { cwd: folder, env, stdio: 'ignore' })
  return folder
}

/** A copy of the untouched project, with a folder around it and a home beside it. */
export function makePlace(project: SampleProject, root: string, id: string): Place {
  const around = path.join(root, 'runs', id.replaceAll('/', '-'))
  const workFolder = path.join(around, 'shop')
  const home = path.join(around, 'home')
  mkdirSync(home, { recursive: true })
  cpSync(makeTemplate(project, root), workFolder, { recursive: true, verbatimSymlinks: true })
  const environment = {
    ...author,
    HOME: home,
    // The home of a run is empty; what finds the compiler of Rust is in the home of the machine.
    RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? path.join(homedir(), '.rustup'),
    GOCACHE: path.join(root, 'go-cache'),
    GOPATH: path.join(root, 'go'),
    // A check needs no news of its tools.
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    // Whatever else is installed on the machine is not part of the project, and slow to load.
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
  }
  return { workFolder, home, environment }
}

/** Links, so that nothing is copied; the folders that hold them are the project's own. */
function install(name: string, modules: string): void {
  const target = path.join(installed, name)
  const place = path.join(modules, name)
  mkdirSync(path.dirname(place), { recursive: true })
  symlinkSync(target, place)
  const { bin = {} } = packageSchema.parse(
    JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8')),
  )
  mkdirSync(path.join(modules, '.bin'), { recursive: true })
  for (const [command, file] of Object.entries(typeof bin === 'string' ? { [name]: bin } : bin))
    symlinkSync(path.join('..', name, file), path.join(modules, '.bin', command))
}
