import { InvalidArgumentError } from 'commander'
import { UsageError } from '@donecheck/engine/base'
import type { ListenAddress } from '@donecheck/server'

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

/** @param text such as `127.0.0.1:4747`, `[::1]:0`, or `4747` */
export function readListenAddress(flag: string, text: string): ListenAddress {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new UsageError(`${flag} takes HOST:PORT, such as 127.0.0.1:4747, not "${text}"`)
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}
