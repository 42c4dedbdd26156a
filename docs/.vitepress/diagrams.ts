/** Renders Mermaid blocks as SVG when the site is built, in the colors of the reader's theme. */
import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

export function drawDiagrams(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
    return `<div class="diagram">${svgOf(token.content)}</div>`
  }
}

function svgOf(source: string): string {
  const svg = renderMermaidSVG(source, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    line: 'var(--vp-c-text-3)',
    accent: 'var(--vp-c-brand-1)',
    muted: 'var(--vp-c-text-2)',
    surface: 'var(--vp-c-bg-soft)',
    border: 'var(--vp-c-border)',
    font: 'system-ui',
    padding: 16,
    transparent: true,
  })
  return svg
    .replace(/@import url\([^)]*\);/g, '') // The site loads nothing from other hosts.
    .replace(/<(\/?)style>/g, (_, end: string) => (end ? '</component>' : '<component is="style">')) // Vue rejects a <style> tag in a template.
    .replace(/\n\s*\n/g, '\n') // An empty line would end the HTML block.
}
