import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gitOrWalkWorkspace } from '@donecheck/engine/internal/system/trees'
import { median, rounded, timed, type Table } from './table.ts'

const files = 10_000
const pairs = 15
/** Younger files are read again by everybody: their time stamps say too little. */
const restMs = 2_500

const signal = new AbortController().signal

/** The work tree's fingerprint against `git status` on the same tree, in turn. */
export async function fingerprintTable(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  try {
    plant(folder)
    await pause(restMs)
    const { warm, warmGit } = await warmTimes(folder)
    const { cold, coldGit } = await coldTimes(folder)
    return {
      title: `fingerprint of ${files.toLocaleString('en-US')} files against git status, median of ${pairs} pairs`,
      rows: [
        row('nothing known before: all is read', cold, coldGit),
        row('nothing changed since the last time', warm, warmGit),
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Row {
  readonly name: string
  readonly [figure: string]: string | number
}

function row(name: string, ours: readonly number[], theirs: readonly number[]): Row {
  const ratio = median(ours.map((ms, index) => ms / (theirs[index] ?? Number.NaN)))
  return {
    name,
    'fingerprint ms': rounded(median(ours), 1),
    'git status ms': rounded(median(theirs), 1),
    ratio: rounded(ratio, 2),
    aim: '<= 1.3',
  }
}

async function warmTimes(folder: string) {
  const workspace = gitOrWalkWorkspace(folder)
  await workspace.fingerprint(signal)
  git(folder, 'status', '--porcelain')
  const [warm, warmGit]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < pairs; pair += 1) {
    warm.push(await timed(() => workspace.fingerprint(signal)))
    warmGit.push(await timed(() => git(folder, 'status', '--porcelain')))
  }
  return { warm, warmGit }
}

/** Git without what it remembers of the files: it must read them all as well. */
async function coldTimes(folder: string) {
  const [cold, coldGit]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < pairs; pair += 1) {
    cold.push(await timed(() => gitOrWalkWorkspace(folder).fingerprint(signal)))
    git(folder, 'read-tree', 'HEAD')
    coldGit.push(await timed(() => git(folder, 'status', '--porcelain')))
  }
  return { cold, coldGit }
}

function plant(folder: string): void {
  for (let index = 0; index < files; index += 1) {
    const place = join(folder, `d${Math.floor(index / 100)}`, `s${index % 10}`)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `f${index}.ts`), `export const a${index} = ${index}\n`.repeat(20))
  }
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, '-c', 'user.name=n', '-c', 'user.email=e@example.invalid', 'commit', '--quiet', '-m', 'm')
}

function git(folder: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd: folder, stdio: 'pipe' })
}
