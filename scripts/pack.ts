/**
 * `npm run pack`: the packages as single files that npm installs, in the root folder. Nothing of `@donecheck/` is published
 * yet, so each carries its siblings inside (`bundleDependencies`). npm itself leaves out siblings that stand beside a
 * workspace; here they are laid where it looks for them, in a folder of their own.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { publishedPackages } from './release-problems.ts'

const root = join(import.meta.dirname, '..')
const manifest = z.looseObject({
  files: z.array(z.string()),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()).default({}),
})
type Manifest = z.infer<typeof manifest>

function readManifest(name: string): Manifest {
  return manifest.parse(JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')))
}

function siblingsOf({ dependencies }: Manifest): readonly string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@donecheck/'))
    .map((name) => name.slice('@donecheck/'.length))
}

/**
 * What the siblings need is needed by the package that carries them. They themselves name nothing: npm takes whatever a bundled
 * package depends on for bundled as well, and leaves an empty folder in its place.
 */
function bundled(own: Manifest): Manifest {
  const siblings = siblingsOf(own)
  const outside = Object.fromEntries(
    [...siblings.map(readManifest), own].flatMap(({ dependencies }) => Object.entries(dependencies)),
  )
  return { ...own, dependencies: outside, bundleDependencies: siblings.map((name) => `@donecheck/${name}`) }
}

function copyPackage(name: string, target: string, described: Manifest, written: object): void {
  for (const file of described.files.filter((entry) => !entry.startsWith('!')))
    cpSync(join(root, 'packages', name, file), join(target, file), { recursive: true })
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(written, null, 2)}\n`)
}

const neededKeys = new Set(['dependencies', 'peerDependencies', 'peerDependenciesMeta'])

function copySibling(name: string, target: string): void {
  const described = readManifest(name)
  const withoutNeeds = Object.entries(described).filter(([key]) => !neededKeys.has(key))
  copyPackage(name, target, described, Object.fromEntries(withoutNeeds))
}

/** @returns the folder in which it is laid as it will be packed */
function lay(name: string): string {
  const folder = join(stage, name)
  const own = readManifest(name)
  copyPackage(name, folder, own, bundled(own))
  for (const sibling of siblingsOf(own))
    copySibling(sibling, join(folder, 'node_modules/@donecheck', sibling))
  return folder
}

/** Where they are written: the root of the checkout, or the folder that is named; after it may come those that are wanted alone. */
const [target = root, ...named] = process.argv.slice(2)
const stage = mkdtempSync(join(tmpdir(), 'donecheck-pack-'))
try {
  const names = named.length > 0 ? named : publishedPackages
  const words = [
    'pack',
    ...names.map(lay),
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    target,
  ]
  execFileSync('npm', words, { cwd: stage, stdio: 'inherit' })
} finally {
  rmSync(stage, { recursive: true, force: true })
}
