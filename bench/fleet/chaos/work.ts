/** What is outside of the record: the ledger, and the repository in which every call leaves a file, with what came back of each run. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { resultOf } from '@donecheck/fleet/internal/worker'
import { ledgerLine, type LedgerLine, type Work } from './verdict.ts'

const run = promisify(execFile)

/** Within the work folder. */
export function fileOfTurn(number: number): string {
  return `turns/${number}`
}

async function git(folder: string, ...words: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=chaos', '-c', 'user.email=chaos@example.invalid']
  return (await run('git', [...identity, ...words], { cwd: folder })).stdout.trim()
}

/** @returns what a request names */
export async function makeOrigin(
  folder: string,
): Promise<{ readonly url: string; readonly revision: string }> {
  const url = join(folder, 'origin')
  await mkdir(dirname(join(url, fileOfTurn(0))), { recursive: true })
  await writeFile(join(url, fileOfTurn(0)), 'the base\n')
  await git(url, 'init', '--quiet', '--initial-branch=main')
  await git(url, 'add', '--all')
  await git(url, 'commit', '--quiet', '--message=base')
  return { url, revision: 'main' }
}

/** @param sequence of the last event of its record */
export async function deliveredWork(
  store: Store,
  runId: string,
  sequence: number,
  originUrl: string,
): Promise<Work> {
  const delivery = (await resultOf(store, runId, sequence))?.delivery
  switch (delivery?.kind) {
    case 'branch': {
      const words = ['ls-tree', '-r', '--name-only', delivery.branch, 'turns/']
      const names = (await git(originUrl, ...words)).split('\n')
      return {
        kind: 'delivered',
        turns: names.map((name) => Number(name.slice('turns/'.length))).filter(Boolean),
      }
    }
    case 'unchanged':
      return { kind: 'delivered', turns: [] }
    case 'patch':
      if (delivery.reason.startsWith('the machine was lost')) return { kind: 'told', why: delivery.reason }
      return { kind: 'missing', why: delivery.reason }
    case 'in-place':
    case undefined:
      return { kind: 'missing', why: 'nobody has handed it on' }
  }
}

export function readLedger(path: string): LedgerLine[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => ledgerLine.parse(JSON.parse(line)))
}
