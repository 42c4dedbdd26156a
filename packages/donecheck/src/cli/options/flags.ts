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
}

export const configFlags: readonly ConfigFlag[] = runOptions
  .filter((row) => row !== configOption)
  .map((row) => {
    const option = optionOf(row)
    const flag = option.attributeName()
    return { typed: row[0], help: row[1], flag, key: row[3] ?? flag, isNegative: option.negate }
  })

/** What was typed, in the order of the table. */
export function typedFlags(flags: object): readonly (ConfigFlag & { readonly value: unknown })[] {
  const given = new Map<string, unknown>(Object.entries(flags))
  return configFlags.flatMap((one) => {
    const value = given.get(one.flag)
    const saysNothing = one.isNegative && value === true
    return value === undefined || saysNothing ? [] : [{ ...one, value }]
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
