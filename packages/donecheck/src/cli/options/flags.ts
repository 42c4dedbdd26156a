/** Flags as commander gives them, and what of them is configuration. */
import { configFlags } from '../../config/index.ts'
import { optionOf } from './option.ts'

export interface StoreFlags {
  readonly store?: string
  readonly workdir?: string
  readonly json?: boolean
}

/** Beside what is named here, the keys of the configuration: they are parsed with it. */
export interface RunFlags extends StoreFlags {
  readonly config?: string
  /** Every event as a line of JSON. */
  readonly events?: boolean
  /** Of resume alone. */
  readonly topUp?: readonly string[]
}

/** How the result of a run is written to stdout. */
export type OutputFormat = 'text' | 'json' | 'events'

/** `--events` contains the result, so that it goes before `--json`. */
export function outputFormatOf({ json, events }: Pick<RunFlags, 'json' | 'events'>): OutputFormat {
  return events === true ? 'events' : json === true ? 'json' : 'text'
}

const keyByFlag = new Map(
  configFlags.map(({ typed, key }) => [optionOf([typed, '']).attributeName(), key] as const),
)

/** What was typed, under the keys of the configuration and still to be parsed. What was not typed is not there. */
export function configFromFlags(flags: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]: readonly [string, unknown]) => {
      const key = keyByFlag.get(name)
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    }),
  )
}
