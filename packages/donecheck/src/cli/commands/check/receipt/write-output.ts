import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CliIo } from '../../../process/io.ts'

/** As JSON, into the file that was named or onto standard output. */
export function writeOutput(value: object, file: string | undefined, io: CliIo): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (file === undefined) io.stdout.write(text)
  else writeFileSync(resolve(io.currentFolder, file), text)
}
