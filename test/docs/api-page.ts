/** The page docs/reference/api.md as the docstrings have it. */
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { subpaths, type ExportedName, type Member, type Subpath } from './exported-names.ts'

export const apiPage = fileURLToPath(new URL('../../docs/reference/api.md', import.meta.url))

const introduction = `# The library, name by name

This page is generated from the docstrings; [the guide](../guide/library.md) explains how the parts work together. The front door comes
first, with signatures. The other subpaths follow, with one line for each name. What stands behind \`internal/\` is for the packages of donecheck alone.
`

const frontDoor = 'donecheck'
const sameDoor = '@donecheck/engine'

export async function apiMarkdown(all: readonly Subpath[] = subpaths()): Promise<string> {
  const door = namesAt(all, frontDoor)
  const rooms = all.filter(({ specifier }) => specifier !== frontDoor && specifier !== sameDoor)
  const text = [
    introduction,
    `## The front door: \`${frontDoor}\`\n`,
    doorSentence(door, namesAt(all, sameDoor)),
    ...door.flatMap(section),
    '## Subpaths\n',
    ...rooms.flatMap(({ specifier, names }) => [
      `### \`${specifier}\`\n`,
      table(['name', 'what it is'], names.map(row)),
    ]),
  ].join('\n')
  return format(text, { ...(await resolveConfig(apiPage)), parser: 'markdown' })
}

function namesAt(all: readonly Subpath[], specifier: string): readonly ExportedName[] {
  return all.find((subpath) => subpath.specifier === specifier)?.names ?? []
}

function doorSentence(door: readonly ExportedName[], engine: readonly ExportedName[]): string {
  const shared = new Set(engine.map(({ name }) => name))
  const own = door.filter(({ name }) => !shared.has(name)).map(({ name }) => `\`${name}\``)
  return `\`${sameDoor}\` has the same names, except for ${own.join(' and ')}.\n`
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

/** A sentence ends where white space and a new beginning follow; an abbreviation is followed by neither. */
export function firstSentence(text: string): string {
  const paragraph = text.split(/\n\s*\n/)[0] ?? ''
  return /^.*?[.!?](?=\s+["'(`\p{Lu}]|\s*$)/su.exec(paragraph)?.[0] ?? paragraph
}

/** Outside of code a bare \`<\` would begin a tag. */
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
