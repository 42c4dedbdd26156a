/** The site is built from the docs as they stand. A link that leads nowhere fails the build. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docsFolder, sections } from '../../docs/.vitepress/sections.ts'

const pages = sections.flatMap((section) => section.pages)

describe('given the site, built', () => {
  let output: string
  beforeAll(async () => {
    output = await mkdtemp(path.join(tmpdir(), 'donecheck-site-'))
    const vitepress = path.join(docsFolder, '../node_modules/vitepress/bin/vitepress.js')
    const env = { ...process.env, NODE_ENV: 'production' }
    await promisify(execFile)(process.execPath, [vitepress, 'build', docsFolder, '--outDir', output], { env })
  })
  afterAll(() => rm(output, { recursive: true, force: true }))
  const read = (page: string) => readFileSync(path.join(output, `${page}.html`), 'utf8')

  it('has a heading on every page', () => {
    expect(pages.filter((page) => !read(page).includes('<h1'))).toEqual([])
  })

  it('draws diagrams, and fetches nothing from elsewhere', () => {
    expect(read('reference/verdicts')).toContain('<svg')
    const addresses = pages.flatMap((page) => [
      ...read(page).matchAll(/(?:src=|url\(|@import )["']?(https?:[^"')]+)/g),
    ])
    expect(addresses.map(([, address]) => address)).toEqual([])
  })

  it('leads to examples in the repository', () => {
    const pattern = /href="(?<address>[^"]*examples\/23-goal\.ts)"/
    expect(pattern.exec(read('guide/goals'))?.groups?.['address']).toMatch(
      /^https:.*\/blob\/main\/examples\//,
    )
  })
})
