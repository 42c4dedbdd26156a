import { acpProgramDrive, type AcpProgram } from '../../protocol/acp/index.ts'
import type { CliDriveOptions } from '../../protocol/stream/index.ts'
import type { Drive } from '@donecheck/engine/ports/loop'

const gemini: AcpProgram = {
  starts: ['gemini', '--acp'],
  maxOutputTokens: 65_536,
  contextWindowTokens: 1_000_000,
}

/**
 * Returns the drive of Gemini CLI over the Agent Client Protocol: it asks for commands and edits, and the gate decides.
 * @throws {UsageError} for a bound that can never work
 */
export function geminiDrive(options: CliDriveOptions): Drive {
  return acpProgramDrive(gemini, options)
}
