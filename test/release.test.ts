/** One version everywhere, so that a tag can be published; the workflows pin what they use and interpolate nothing. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readRelease, releaseProblems, type Release } from '../scripts/release-problems.ts'
import { repositoryRoot } from './architecture/read-tree.ts'

const release = readRelease(repositoryRoot)
const version = release.packages.at(-1)?.manifest.version ?? ''

describe('given the packages and the changelog as they are', () => {
  it('name one version, whether it is released or not', () => {
    expect(releaseProblems(release, undefined)).toEqual([])
  })

  it('can be released once the changelog has a dated section, under the tag of that version alone', () => {
    const dated: Release = { ...release, changelog: `# Changelog\n\n## ${version} (2026-12-01)\n` }
    expect(releaseProblems(dated, `v${version}`)).toEqual([])
    expect(releaseProblems(dated, 'v9.9.9')).toEqual([`the tag is v9.9.9, the version ${version}`])
    const other: Release = { ...release, changelog: '## Unreleased\n' }
    expect(releaseProblems(other, `v${version}`)).toEqual([
      `the changelog begins with "## Unreleased"; "## ${version} (YYYY-MM-DD)" is wanted`,
    ])
  })

  it('cannot where a package is another version, or comes before one that it needs', () => {
    const [core, ...rest] = release.packages
    if (core === undefined) throw new TypeError('there is no package')
    const older = { ...core, manifest: { ...core.manifest, version: '0.0.1' } }
    expect(releaseProblems({ ...release, packages: [older, ...rest] }, undefined)).toEqual([
      `@donecheck/core is 0.0.1, donecheck ${version}`,
    ])
    const late = [...rest.slice(0, -1), core, ...rest.slice(-1)]
    expect(releaseProblems({ ...release, packages: late }, undefined)).toContain(
      '@donecheck/engine is published before @donecheck/core',
    )
    const loose = {
      ...core,
      manifest: { ...core.manifest, peerDependencies: { '@donecheck/fleet': '^0.0.1' } },
    }
    expect(releaseProblems({ ...release, packages: [...rest, loose] }, undefined)).toContain(
      `@donecheck/core needs @donecheck/fleet ^0.0.1, not ${version}`,
    )
  })
})

const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })) }),
  ),
})

describe.each(['ci', 'release'])('given the workflow %s', (name) => {
  const file = path.join(repositoryRoot, '.github/workflows', `${name}.yml`)
  const { permissions, jobs } = workflow.parse(parse(readFileSync(file, 'utf8')))
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('pins what it uses to commits, reads by default, and puts nothing of an event into a shell', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
      expect(run ?? '').not.toContain('${{')
    }
  })

  it('asks all that CI asks', () => {
    expect(steps.map(({ run }) => run)).toEqual(
      expect.arrayContaining(['npm run check:format', 'npm run check:lint', '.ci/run']),
    )
  })
})
