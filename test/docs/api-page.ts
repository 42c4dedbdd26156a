/** Builds docs/reference/api.md from the docstrings. */
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { subpaths, type ExportedName, type Member, type Subpath } from './exported-names.ts'

export const apiPage = fileURLToPath(new URL('../../docs/reference/api.md', import.meta.url))

const introduction = `# Library API

This page is generated from the docstrings. [Build your own agent loop](../guide/library.md) explains how the parts work together.
The main package comes first, with signatures. Then each subpath has one line per name. Names in \`internal/\` are only for donecheck's own packages.
`

const mainPackage = 'donecheck'
const enginePackage = '@donecheck/engine'

export async function apiMarkdown(all: readonly Subpath[] = subpaths()): Promise<string> {
  const names = namesAt(all, mainPackage)
  const others = all.filter(({ specifier }) => specifier !== mainPackage && specifier !== enginePackage)
  const text = [
    introduction,
    `## The main package: \`${mainPackage}\`\n`,
    engineSentence(names, namesAt(all, enginePackage)),
    ...names.flatMap(section),
    '## Subpaths\n',
    ...others.flatMap(({ specifier, names }) => [
      `### \`${specifier}\`\n`,
      table(['name', 'meaning'], names.map(row)),
    ]),
  ].join('\n')
  return format(text, { ...(await resolveConfig(apiPage)), parser: 'markdown' })
}

function namesAt(all: readonly Subpath[], specifier: string): readonly ExportedName[] {
  return all.find((subpath) => subpath.specifier === specifier)?.names ?? []
}

function engineSentence(main: readonly ExportedName[], engine: readonly ExportedName[]): string {
  const shared = new Set(engine.map(({ name }) => name))
  const own = main.filter(({ name }) => !shared.has(name)).map(({ name }) => `\`${name}\``)
  return `\`${enginePackage}\` has the same names, except for ${own.join(' and ')}.\n`
}

function section({ name, signature, summary, throws, examples, members }: ExportedName): readonly string[] {
  return [
    `### ${name}\n`,
    `\`\`\`ts\n${signature}\n\`\`\`\n`,
    ...(summary === '' ? [] : [`${escaped(summary)}\n`]),
    ...throws.map((text) => `**Throws** ${escaped(text)}\n`),
    ...examples.map((text) => (text.includes('```') ? `${text}\n` : `\`\`\`ts\n${text}\n\`\`\`\n`)),
    ...(members.length === 0 ? [] : [table(['member', 'type', 'meaning'], members.map(memberRow))]),
  ]
}

function memberRow({ name, type, summary }: Member): readonly string[] {
  return [`\`${name}\``, type === '' ? '' : `\`${type}\``, escaped(summary)]
}

function row({ name, kind, summary }: ExportedName): readonly string[] {
  return [`\`${name}\``, summary === '' ? `_${kind}_` : escaped(firstSentence(summary))]
}

/** A sentence ends before white space and a capital letter, so an abbreviation does not end it. */
export function firstSentence(text: string): string {
  const paragraph = text.split(/\n\s*\n/)[0] ?? ''
  return /^.*?[.!?](?=\s+["'(`\p{Lu}]|\s*$)/su.exec(paragraph)?.[0] ?? paragraph
}

/** Escapes \`<\` outside code, which would start a tag. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}
