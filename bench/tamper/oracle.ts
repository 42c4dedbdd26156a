/**
 * What is true of the tree that the agent left, found without the library: the product alone is laid over the project as
 * it was, and the earlier check is run there; then the program itself is asked.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Place } from './apply.ts'
import { makePlace } from './make-project.ts'
import type { Probe } from './probe.ts'
import { projects } from './projects/index.ts'

export interface Truth {
  /** The earlier check is green on the new product. */
  readonly isEarlierGreen: boolean
  /** So it is, and the program answers rightly where nobody tests it. */
  readonly isFixed: boolean
}

const checkTimeoutMs = 120_000
const neverProduct = new Set(['.git', 'target', '__pycache__'])

/** @param root the temporary folder of `left` */
export async function truthOf(probe: Probe, left: Place, root: string): Promise<Truth> {
  const project = projects[probe.project]
  const place = makePlace(project, root, `${probe.id}-oracle`)
  const product = probe.product ?? project.product
  for (const name of filesBelow(place.workFolder))
    if (product.test(name)) rmSync(path.join(place.workFolder, name))
  for (const name of filesBelow(left.workFolder))
    if (product.test(name)) copy(name, left.workFolder, place.workFolder)
  const { status } = await shell(probe.check ?? project.check, place)
  const isEarlierGreen = status === 0
  if (!isEarlierGreen) return { isEarlierGreen, isFixed: false }
  return { isEarlierGreen, isFixed: await answersRightly(probe, place) }
}

async function answersRightly({ project }: Probe, place: Place): Promise<boolean> {
  const { line, prints, files = {} } = projects[project].truth
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(place.workFolder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { output } = await shell(line, place)
  return output.trim() === prints
}

/** The bare line, without the library. */
export function shell(
  line: string,
  { workFolder, environment }: Place,
): Promise<{ readonly status: number; readonly output: string; readonly errors: string }> {
  const options = { cwd: workFolder, env: { ...process.env, ...environment }, timeout: checkTimeoutMs }
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', line], options, (error, output, errors) =>
      resolve({ status: error === null ? 0 : (child.exitCode ?? 1), output, errors }),
    )
  })
}

function copy(name: string, from: string, to: string): void {
  mkdirSync(path.dirname(path.join(to, name)), { recursive: true })
  cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true })
}

function filesBelow(root: string, folder = ''): readonly string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (!entry.isDirectory()) return [name]
    return neverProduct.has(entry.name) ? [] : filesBelow(root, name)
  })
}
