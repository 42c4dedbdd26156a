/**
 * `node test/peers/install.ts [agents|sdks|servers|NAME …] [FOLDER]`: puts the real agents, SDKs and servers beside the repository's own
 * packages, outside of the lock file, for the tests that need them. NAME is one of an agent, an SDK or a server (`codex`, `langchain`, `postgres`);
 * without any, all are meant: about 3.8 GB. FOLDER, known by its slash, stands for `.peers` of this repository.
 *
 * Releases are pinned, what is there already stays, no install script runs. What cannot be had is said on standard error, the
 * others are installed all the same, and the exit code is 1. A folder appears with everything that could be had, or not at all;
 * to one that is there npm adds, and takes back itself what it could not.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { peerGroups, type PeerGroup } from './kit/packages.ts'

/** A registry that does not answer must not hold up the tests that need no peer. */
const patienceMs = 600_000

process.exitCode = main(process.argv.slice(2))

function main(words: readonly string[]): number {
  const folders = words.filter((word) => word.includes('/'))
  const wanted = words.filter((word) => !word.includes('/'))
  const known = peerGroups.flatMap(({ folder, packages }) => [folder, ...Object.keys(packages)])
  const unknown = wanted.filter((word) => !known.includes(word))
  if (folders.length > 1 || unknown.length > 0) {
    console.error(`usage: node test/peers/install.ts [${known.join('|')} …] [FOLDER/]`)
    return 2
  }
  const root = resolve(folders[0] ?? join(import.meta.dirname, '../../.peers'))
  const missed = peerGroups.flatMap((group) => installGroup(group, specsOf(group, wanted), root))
  for (const spec of missed) console.error(`could not install ${spec}`)
  return missed.length === 0 ? 0 : 1
}

function specsOf({ folder, packages }: PeerGroup, wanted: readonly string[]): readonly string[] {
  const isWhole = wanted.length === 0 || wanted.includes(folder)
  const specs = Object.entries(packages).filter(([name]) => isWhole || wanted.includes(name))
  return [...new Set(specs.flatMap(([, each]) => each))]
}

/** @returns what could not be installed */
function installGroup(group: PeerGroup, specs: readonly string[], root: string): readonly string[] {
  const folder = join(root, group.folder)
  const absent = specs.filter((spec) => !isThere(folder, spec))
  if (absent.length === 0) return []
  clearRubble(root, `${group.folder}.new-`)
  // A folder of its own until all is there: whoever looks for an agent never finds half of it.
  const isNew = !existsSync(folder)
  const place = isNew ? `${folder}.new-${process.pid}` : folder
  mkdirSync(place, { recursive: true })
  try {
    const missed = addAll(realpathSync(place), absent)
    if (isNew && missed.length < absent.length) renameSync(place, folder)
    if (missed.length < absent.length) console.log(`installed into ${folder}`)
    return missed
  } finally {
    if (isNew) rmSync(place, { recursive: true, force: true })
  }
}

/** What an installation left that was killed. */
function clearRubble(root: string, start: string): void {
  if (!existsSync(root)) return
  const left = readdirSync(root).filter((name) => name.startsWith(start))
  for (const name of left) {
    if (!isRunning(Number(name.slice(start.length))))
      rmSync(join(root, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** All at once, and where that fails one by one. */
function addAll(place: string, specs: readonly string[]): readonly string[] {
  if (!existsSync(join(place, 'package.json'))) {
    // A package of its own: npm would look for one in the folders above.
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  }
  const end = add(place, specs)
  if (end === 'installed') return []
  // Whoever did not answer to all at once would not answer to each either, and each would be waited for.
  if (end === 'timed out' || specs.length === 1) return specs
  return specs.filter((spec) => add(place, [spec]) !== 'installed')
}

function add(place: string, specs: readonly string[]): 'installed' | 'failed' | 'timed out' {
  const quiet = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error']
  // No `--prefix`: with it npm reads another global configuration, without the certificates of this machine.
  const { status, error } = spawnSync('npm', ['install', ...specs, ...quiet], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: patienceMs,
  })
  if (status === 0) return 'installed'
  return error !== undefined && 'code' in error && error.code === 'ETIMEDOUT' ? 'timed out' : 'failed'
}

function isThere(folder: string, spec: string): boolean {
  const split = spec.lastIndexOf('@')
  const manifest = join(folder, 'node_modules', spec.slice(0, split), 'package.json')
  if (!existsSync(manifest)) return false
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }
  return version === spec.slice(split + 1)
}
