/** The configuration as a JSON schema, for editors: made of the schema that reads it and of the help of the flags. */
import { z } from 'zod'
import { keysOfRecords, schemaOfFile } from '../../config/index.ts'
import { configFlags } from '../options/flags.ts'

/** What a file may hold: what only a record holds is left out. */
export function configJsonSchema(): object {
  const { properties = {}, ...schema } = z.toJSONSchema(schemaOfFile, { io: 'input', unrepresentable: 'any' })
  const inFile = Object.entries(properties).filter(([key]) => !keysOfRecords.some((kept) => kept === key))
  const described = inFile.map(([key, value]) => [key, withHelp(key, value)] as const)
  return { ...schema, title: 'Configuration of donecheck', properties: Object.fromEntries(described) }
}

/** Lists of which one may stand alone: that is read before the schema sees it. */
const listsOrOne: readonly string[] = ['presets', 'checks', 'rules']

function withHelp(key: string, value: unknown): object {
  const flag = configFlags.find((one) => one.key === key)
  const help = flag === undefined ? {} : { description: `${flag.help} (${flag.typed})` }
  if (typeof value !== 'object' || value === null) return help
  if (!listsOrOne.includes(key) || !('items' in value)) return { ...help, ...value }
  // A check may be a text, `KIND:TEXT`, which is read before the schema sees it too.
  const items = key === 'checks' ? { anyOf: [{ type: 'string' }, value.items] } : value.items
  return { ...help, anyOf: [items, { ...value, items }] }
}
