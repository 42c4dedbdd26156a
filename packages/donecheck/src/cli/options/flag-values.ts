/** What a flag's value may be; anything else is told by its name. */
import { InvalidArgumentError } from 'commander'

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

export function positive(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError(`"${text}" is not a positive number.`)
  return value
}

export function positiveWhole(text: string): number {
  const value = positive(text)
  if (!Number.isInteger(value)) throw new InvalidArgumentError(`"${text}" is not a whole number.`)
  return value
}

export function whole(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError(`"${text}" is not a whole number of 0 or more.`)
  return value
}

export function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError(`"${text}" is not a number between 0 and 1.`)
  return value
}

/** `name=count`, several times; the last of one name counts. */
export function countOfName(
  text: string,
  before: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> {
  const [, name, count] = /^(.+)=([^=]*)$/.exec(text) ?? []
  if (name === undefined || count === undefined)
    throw new InvalidArgumentError(`"${text}" is not of the form name=count.`)
  return { ...before, [name]: positiveWhole(count) }
}

export function positiveOrOff(text: string): number | 'off' {
  return readOrOff(text, positive)
}

export function positiveWholeOrOff(text: string): number | 'off' {
  return readOrOff(text, positiveWhole)
}

function readOrOff(text: string, read: (text: string) => number): number | 'off' {
  if (text === 'off') return text
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new InvalidArgumentError(`${error.message} Or type off.`)
  }
}
