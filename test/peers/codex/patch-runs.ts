/** One patch case, run by the reference program in a folder of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textFrom } from 'node:stream/consumers'
import { realAgent } from '../kit/agents.ts'
import { lookAtTree, makeTree, type Tree } from './patch-tree.ts'

export interface PatchCase {
  /** Relative to the folder in which the patch is applied; may leave it with `../`. */
  readonly tree: Tree
  readonly patch: string | Uint8Array
  /** Bytes that are no text can only come over standard input. */
  readonly by: 'argument' | 'standard-input'
}

interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** What lies in the folder of the case and around it. */
export type TreeLook = Readonly<Record<string, string>>

export interface PatchRun extends Ended {
  readonly tree: TreeLook
}

/** How the folder of a case is called in what is compared. */
export const caseFolder = '<folder>'

/** Undefined: it is not installed. `DONECHECK_CODEX_FOLDER` names another one than that of the agents. */
export const referenceProgram: string | undefined = programIn(process.env['DONECHECK_CODEX_FOLDER'])

function programIn(folder: string | undefined): string | undefined {
  const agent = realAgent('codex', folder)
  return agent.kind === 'installed' ? agent.program : undefined
}

/** @throws {Error} where the program cannot be started, or is killed */
export function runReference(path: string, test: PatchCase): Promise<PatchRun> {
  const words = test.by === 'argument' ? [textOf(test.patch)] : []
  return compared(async (folder) => {
    const child = spawn(path, words, { argv0: 'apply_patch', cwd: folder, env: {} })
    child.stdin.on('error', () => undefined)
    child.stdin.end(test.by === 'argument' ? '' : test.patch)
    const ended = once(child, 'close')
    const [stdout, stderr] = await Promise.all([textFrom(child.stdout), textFrom(child.stderr)])
    const [exitCode] = (await ended) as unknown[]
    if (typeof exitCode !== 'number') throw new Error('the reference was killed')
    return { exitCode, stdout, stderr }
  }, test)
}

function compared(run: (folder: string) => Promise<Ended>, test: PatchCase): Promise<PatchRun> {
  return inCaseFolder(test.tree, run).then(({ ended, tree, root }) => {
    const named = (text: string) => text.replaceAll(root, caseFolder)
    return { exitCode: ended.exitCode, stdout: named(ended.stdout), stderr: named(ended.stderr), tree }
  })
}

/** @param run in the folder of the case */
export async function inCaseFolder<Value>(
  tree: Tree,
  run: (folder: string) => Promise<Value>,
): Promise<{ readonly ended: Value; readonly tree: TreeLook; readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'donecheck-patch-'))
  const folder = join(root, 'w')
  try {
    await makeTree(folder, tree)
    const ended = await run(folder)
    return { ended, tree: await lookAtTree(root), root }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function textOf(patch: string | Uint8Array): string {
  return typeof patch === 'string' ? patch : Buffer.from(patch).toString()
}
