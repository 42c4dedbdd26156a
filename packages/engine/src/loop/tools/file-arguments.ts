/** Pieces of schema that several tools share. */
import { z } from 'zod'

export const pathArgument = z.string().min(1).max(4_096)

export const filesArgument = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe('Only files that match, such as *.ts or src/**/*.test.ts.')

export const allArgument = z.boolean().optional().describe('Include .git and node_modules. Default false.')

/** More belongs into a command. */
const maxTextLength = 2 * 1024 * 1024

/** Text that can stand in a file of text, and come back from it as it is. */
export const textArgument = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= maxTextLength, { error: `longer than ${maxTextLength} bytes` })
  .refine((text) => text.isWellFormed(), {
    error: 'not valid Unicode: half of a surrogate pair stands alone',
  })
  .refine((text) => !text.includes('\0'), { error: 'it has NUL characters: only text can be written' })
