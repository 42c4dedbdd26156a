/** Reads the real tree from disk: the only file here that does. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectOf, type Project } from './project.ts'

export const repositoryRoot = path.resolve(import.meta.dirname, '../..')

const skippedFolders = ['node_modules', 'dist', 'coverage', '.git', '.peers']
const textKinds = /\.(?:tsx?|js|mjs|cjs|md|json|jsonl|ya?ml|sh|html|css)$|^LICENSE$|^\.npmrc$|^run$/

export function readTree(root: string = repositoryRoot): Project {
  const paths = [...filesBelow(root, '')]
  const isText = (file: string) => textKinds.test(path.posix.basename(file))
  const texts = paths
    .filter(isText)
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const)
  return projectOf(
    new Map(texts),
    paths.filter((file) => !isText(file)),
  )
}

function* filesBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name)
    if (entry.isDirectory() && !skippedFolders.includes(entry.name)) yield* filesBelow(root, file)
    if (entry.isFile()) yield file
  }
}
