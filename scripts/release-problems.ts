/** What keeps a version from being released: packages, changelog and tag must name one and the same. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Folders of `packages/`, each after those that it needs. */
export const publishedPackages = [
  'core',
  'engine',
  'agents',
  'server',
  'fleet',
  'conformance',
  'donecheck',
] as const

const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  repository: z.looseObject({ url: z.string(), directory: z.string() }),
  publishConfig: z.object({ access: z.literal('public'), provenance: z.literal(true) }),
})

export interface Release {
  /** In the order in which they are published: each after those that it needs. */
  readonly packages: readonly { readonly folder: string; readonly manifest: z.output<typeof manifest> }[]
  readonly changelog: string
}

/** @throws {z.ZodError} for a manifest without what a publication needs */
export function readRelease(root: string): Release {
  const packages = publishedPackages.map((name) => {
    const folder = `packages/${name}`
    const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
    return { folder, manifest: manifest.parse(JSON.parse(text)) }
  })
  return { packages, changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8') }
}

/** @param tag such as `v1.2.3`; undefined: nothing is released yet, and the changelog may say `Unreleased` */
export function releaseProblems(
  { packages, changelog }: Release,
  tag: string | undefined,
): readonly string[] {
  const version = packages.at(-1)?.manifest.version ?? ''
  const [top = ''] = /^## .*$/m.exec(changelog) ?? []
  const isDated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`).test(top)
  return [
    ...packages.flatMap(({ manifest: one }, place) => {
      const earlier = packages.slice(0, place).map(({ manifest: { name } }) => name)
      // More than one copy of a sibling in one process is what another version would mean.
      const siblings = Object.entries({ ...one.dependencies, ...one.peerDependencies }).filter(([name]) =>
        name.startsWith('@donecheck/'),
      )
      return [
        ...(one.version === version ? [] : [`${one.name} is ${one.version}, donecheck ${version}`]),
        ...siblings
          .filter(([, wanted]) => wanted !== version)
          .map(([name, wanted]) => `${one.name} needs ${name} ${wanted}, not ${version}`),
        ...siblings
          .filter(([name]) => !earlier.includes(name))
          .map(([name]) => `${one.name} is published before ${name}`),
      ]
    }),
    ...(tag === undefined || tag === `v${version}` ? [] : [`the tag is ${tag}, the version ${version}`]),
    ...(isDated || (tag === undefined && top === '## Unreleased')
      ? []
      : [`the changelog begins with "${top}"; "## ${version} (YYYY-MM-DD)" is wanted`]),
  ]
}
