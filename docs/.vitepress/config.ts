/** The documentation site (`npm run docs`). */
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { z } from 'zod'
import { drawDiagrams } from './diagrams.ts'
import { headingOf, sections } from './sections.ts'

const repository = 'https://github.com/donecheck/donecheck'

export default defineConfig({
  title: 'donecheck',
  description: 'Done is a check, not a claim: runs an agent until your checks pass.',
  lang: 'en',
  cleanUrls: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (markdown) => {
      markdown.use(drawDiagrams)
      // Keeps Vue from interpolating braces in inline code.
      markdown.core.ruler.push('inline-code-verbatim', ({ tokens }) => {
        for (const code of tokens.flatMap(({ children }) => children ?? []))
          if (code.type === 'code_inline') code.attrSet('v-pre', '')
      })
      // Links that leave docs/ lead to the repository.
      markdown.core.ruler.push('links-to-the-repository', ({ tokens, env }) => {
        const { relativePath } = z.object({ relativePath: z.string() }).parse(env)
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const target = path.posix.join('docs', path.posix.dirname(relativePath), link.attrGet('href') ?? '')
          const isOutside = /^\.\.?\//.test(link.attrGet('href') ?? '') && !target.startsWith('docs/')
          if (isOutside) link.attrSet('href', `${repository}/blob/main/${target}`)
        }
      })
    },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/guide/start' },
      { text: 'Agents', link: '/guide/agents' },
      { text: 'CI', link: '/guide/ci' },
      { text: 'Library', link: '/guide/library' },
      { text: 'Reference', link: '/reference/command' },
    ],
    sidebar: sections.map(({ title, pages, isOpen }) => ({
      text: title,
      collapsed: !isOpen,
      items: pages.map((page) => ({ text: headingOf(page), link: `/${page}` })),
    })),
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
  },
})
