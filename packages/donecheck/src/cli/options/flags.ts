import { configFlags } from '../../config/index.ts'
import { optionOf } from './option.ts'

export interface StoreFlags {
  readonly store?: string
  readonly workdir?: string
  readonly json?: boolean
}

/** Configuration keys are parsed separately. */
export interface RunFlags extends StoreFlags {
  readonly config?: string
  readonly events?: boolean
  readonly topUp?: readonly string[]
}

export type OutputFormat = 'text' | 'json' | 'events'

/** `--events` includes the result, so it wins over `--json`. */
export function outputFormatOf({ json, events }: Pick<RunFlags, 'json' | 'events'>): OutputFormat {
  return events === true ? 'events' : json === true ? 'json' : 'text'
}

const keyByFlag = new Map(
  configFlags.map(({ typed, key }) => [optionOf([typed, '']).attributeName(), key] as const),
)

/** Typed flags by configuration key, not parsed yet. */
export function configFromFlags(flags: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]: readonly [string, unknown]) => {
      const key = keyByFlag.get(name)
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    }),
  )
}
