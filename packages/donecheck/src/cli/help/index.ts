import type { Command } from 'commander'
import { ownIo } from '../main.ts'
import { flagsNamed } from '../options/table.ts'
import { buildProgram, helpColumns, sessionName } from '../program.ts'
import { z } from 'zod'
import { keysOfRecords, schemaOfFile } from '../../config/index.ts'

interface HelpPage {
  readonly words: readonly string[]
  readonly text: string
}

/** Built with the package: generating help on each start would double the start-up time. */
export function helpPages(): readonly HelpPage[] {
  return pagesOf(buildProgram(ownIo(), flagsNamed), [])
}

function pagesOf(command: Command, names: readonly string[]): readonly HelpPage[] {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => helpColumns })
  command.outputHelp()
  return [
    { words: [...names, '--help'], text },
    ...command.commands
      .filter((each) => each.name() !== sessionName)
      .flatMap((each) => pagesOf(each, [...names, each.name()])),
  ]
}

export { configSchemaPath } from '../../config/index.ts'

export function configJsonSchema(): object {
  const { properties = {}, ...schema } = z.toJSONSchema(schemaOfFile, { io: 'input', unrepresentable: 'any' })
  const inFile = Object.entries(properties)
    .filter(([key]) => !keysOfRecords.includes(key))
    .map(([key, value]) => [key, listsOrOne.includes(key) ? withSingle(key, value) : value] as const)
  return { ...schema, title: 'Configuration of donecheck', properties: Object.fromEntries(inFile) }
}

/** Lists that accept a single value, which is normalized before validation. */
const listsOrOne: readonly string[] = ['presets', 'checks', 'rules']

function withSingle(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('items' in value)) return value
  const { description, ...rest } = { description: '', ...value }
  // A check may be `KIND:TEXT`, which is also normalized before.
  const items = key === 'checks' ? { anyOf: [{ type: 'string' }, rest.items] } : rest.items
  return { description, anyOf: [items, { ...rest, items }] }
}
