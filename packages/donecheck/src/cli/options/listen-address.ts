/** Where a process listens, as people type it. */
import { UsageError } from '@donecheck/engine/base'
import type { ListenAddress } from '@donecheck/server'

/** @param text such as `127.0.0.1:4747`, `[::1]:0`, or `4747` of this machine alone. @throws {UsageError} for any other form */
export function readListenAddress(flag: string, text: string): ListenAddress {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new UsageError(`${flag} takes HOST:PORT, such as 127.0.0.1:4747, not "${text}"`)
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}
