/** Flags as commander gives them, and what of them is configuration. */
import { configOption, runOptions } from './table.ts'
import { optionOf } from './option.ts'

export interface StoreFlags {
  readonly store?: string
  readonly workdir?: string
  readonly json?: boolean
}

/** Beside what is named here, the values of the table: they are parsed with the configuration. */
export interface RunFlags extends StoreFlags {
  readonly config?: string
  readonly outputFormat?: string
  /** Of resume alone. */
  readonly topUp?: readonly string[]
}

interface ConfigFlag {
  /** As it is typed, with its value. */
  readonly typed: string
  readonly help: string
  /** As commander calls it. */
  readonly flag: string
  /** In the configuration. */
  readonly key: string
  /** Only its `--no-` form can be typed: the parser gives true for its absence, which says nothing. */
  readonly isNegative: boolean
  /** Of a flag without a value that stands for one of its key. */
  readonly standsFor: string | undefined
}

export const configFlags: readonly ConfigFlag[] = runOptions
  .filter((row) => row !== configOption)
  .map((row) => {
    const option = optionOf(row)
    const flag = option.attributeName()
    const standsFor = typeof row[2] === 'object' && 'standsFor' in row[2] ? row[2].standsFor : undefined
    return { typed: row[0], help: row[1], flag, key: row[3] ?? flag, isNegative: option.negate, standsFor }
  })

/** What was typed, in the order of the table. */
export function typedFlags(flags: object): readonly (ConfigFlag & { readonly value: unknown })[] {
  const given = new Map<string, unknown>(Object.entries(flags))
  return configFlags.flatMap((one) => {
    const value = given.get(one.flag)
    const saysNothing = one.isNegative && value === true
    // Where other commands have a flag of this name, it is no configuration.
    const isOther = one.standsFor !== undefined && value !== one.standsFor
    return value === undefined || saysNothing || isOther ? [] : [{ ...one, value }]
  })
}

/** What was typed, under the keys of the configuration and still to be parsed. What was not typed is not there. */
export function configFromFlags(flags: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    typedFlags(flags).map(({ flag, key, value }) => [
      key,
      flag.startsWith('max') && value === 'off' ? null : value,
    ]),
  )
}
