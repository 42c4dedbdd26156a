/** The texts agree with the tree: every check holds for it, and is shown to bite. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { docsFolder, guides, sections } from '../docs/.vitepress/sections.ts'
import { describeGate } from './architecture/describe-gate.ts'
import { readTree } from './architecture/read-tree.ts'
import { checks } from './docs/checks.ts'
import { planted } from './docs/planted.ts'

const tree = readTree()

for (const check of checks) describeGate(check, tree, planted[check.name])

it('the site has every page of the docs, once', () => {
  const files = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' })
  const written = files.filter((file) => file.endsWith('.md') && file !== 'index.md')
  const pages = sections.flatMap((section) => section.pages.map((page) => `${page}.md`))
  expect(pages.toSorted()).toEqual(written.toSorted())
})

const guidePages = guides.flatMap(({ pages }) => pages).filter((page) => page !== 'troubleshooting')

it.each(guidePages)('guide/%s ends with what to do when it does not work', (page) => {
  const text = readFileSync(path.join(docsFolder, `guide/${page}.md`), 'utf8')
  expect([...text.matchAll(/^## (.*)$/gm)].at(-1)?.[1]).toBe('When it does not work')
})
