import { configFlags } from '../../config/index.ts'
import { optionOf } from './option.ts'

export type Flags<
  Texts extends string,
  Switches extends string = never,
  Lists extends string = never,
> = Readonly<Partial<Record<Texts, string> & Record<Switches, boolean> & Record<Lists, readonly string[]>>>

export type StoreFlags = Flags<'store' | 'workdir', 'json'>

/** Configuration keys are parsed separately. */
export type RunFlags = StoreFlags & Flags<'config', 'events', 'topUp'>

export type OutputFormat = 'text' | 'json' | 'events'

/** `--events` includes the result, so it wins over `--json`. */
export function outputFormatOf({ json, events }: Pick<RunFlags, 'json' | 'events'>): OutputFormat {
  return events === true ? 'events' : json === true ? 'json' : 'text'
}

const keyByFlag = new Map(
  configFlags.map(({ typed, key }) => [optionOf([typed, '']).attributeName(), key] as const),
)

export function configFromFlags(flags: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]: readonly [string, unknown]) => {
      const key = keyByFlag.get(name)
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    }),
  )
}
