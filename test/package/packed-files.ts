/** Asks npm what it would publish. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { repositoryRoot } from '../architecture/read-tree.ts'
import type { FileMap } from '../architecture/project.ts'
import type { PackageName } from '../architecture/rooms.ts'

const packed = z.object({ files: z.array(z.object({ path: z.string() })) })
/** A list of packages, or a record of them by name: npm has said it in both ways. */
const answer = z.union([
  z.array(packed),
  z.record(z.string(), packed).transform((byName) => Object.values(byName)),
])

/** Works offline and writes nothing but npm's own cache, which it gets in a folder of its own. */
export function packedFiles(name: PackageName): FileMap {
  const packageFolder = path.join(repositoryRoot, 'packages', name)
  const cache = mkdtempSync(path.join(tmpdir(), 'donecheck-pack-'))
  try {
    const words = [
      'pack',
      '--dry-run',
      '--json',
      '--ignore-scripts',
      '--offline',
      '--loglevel=error',
      '--cache',
      cache,
    ]
    const text = execFileSync('npm', words, {
      cwd: packageFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const files = answer.parse(JSON.parse(text)).flatMap((entry) => entry.files)
    return new Map(
      files.map((file) => [file.path, readFileSync(path.join(packageFolder, file.path), 'utf8')]),
    )
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}
