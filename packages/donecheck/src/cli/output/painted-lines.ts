import type { Line } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import { painter } from './painter.ts'

/** Lines for a terminal or a file, coloured only where they are welcome. */
export function paintLines(lines: readonly Line[], io: CliIo): string {
  const paint = painter('isTTY' in io.stdout && io.stdout.isTTY && (io.environment['NO_COLOR'] ?? '') === '')
  return lines.map(paint).join('\n')
}
