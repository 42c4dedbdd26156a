/** Asks npm what it would publish. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { repositoryRoot } from '../architecture/read-tree.ts'
import type { FileMap } from '../architecture/project.ts'
import type { PackageName } from '../architecture/rooms.ts'

const packed = z.object({ name: z.string(), files: z.array(z.object({ path: z.string() })) })
/** A list of packages, or a record of them by name: npm has said it in both ways. */
const answer = z.union([
  z.array(packed),
  z.record(z.string(), packed).transform((byName) => Object.values(byName)),
])

/** Works offline and writes nothing but npm's own cache, which it gets in a folder of its own. npm is started once for all. */
export function packedFiles(names: readonly PackageName[]): ReadonlyMap<PackageName, FileMap> {
  const cache = mkdtempSync(path.join(tmpdir(), 'donecheck-pack-'))
  try {
    const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=error']
    const workspaces = names.map((name) => `--workspace=packages/${name}`)
    const text = execFileSync('npm', [...words, '--cache', cache, ...workspaces], {
      cwd: repositoryRoot,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const packages = answer.parse(JSON.parse(text))
    return new Map(names.map((name) => [name, filesOf(name, packages)]))
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

function filesOf(name: PackageName, packages: z.infer<typeof answer>): FileMap {
  const found = packages.find((entry) => entry.name.replace('@donecheck/', '') === name)
  if (found === undefined) throw new Error(`npm would publish nothing under the name ${name}`)
  const folder = path.join(repositoryRoot, 'packages', name)
  return new Map(found.files.map((file) => [file.path, readFileSync(path.join(folder, file.path), 'utf8')]))
}
