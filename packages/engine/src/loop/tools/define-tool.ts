import { z } from 'zod'
import type { JsonValue, ToolEffect } from '@donecheck/core/internal/events'
import type { RefusalLabel } from '@donecheck/core/internal/events/gate'
import { given, messageOf } from '../../base/index.ts'
import type { PreparedCall, Tool, ToolOutcome } from '../../ports/loop.ts'
import { confine, hasMoved, type ConfinedPath } from '../../system/files/index.ts'

interface ToolParts<Args> {
  readonly name: string
  readonly description: string
  readonly effect: ToolEffect
  readonly schema: z.ZodType<Args>
  readonly prepare: (args: Args) => Promise<PreparedCall>
}

type ReadyCall = Extract<PreparedCall, { kind: 'ready' }>

/** A model reads reasons: a hostile key must not fill its context. */
const maxReasonLength = 1_000
const maxPatchReasonLength = 8_000

/** Builds a tool that validates its arguments. `prepare` and `run` never reject. */
export function defineTool<Args>({ name, description, effect, schema, prepare }: ToolParts<Args>): Tool {
  return {
    name,
    description,
    effect,
    parameters: parametersOf(schema),
    async prepare(args) {
      try {
        // Arguments whose getters throw are invalid, too.
        const parsed = schema.safeParse(args)
        if (!parsed.success) return invalid(parsed.error.issues.map(problemOf).join('; '))
        const prepared = await prepare(parsed.data)
        return prepared.kind === 'ready' ? guardRun(prepared) : prepared
      } catch (error) {
        return invalid(messageOf(error))
      }
    },
  }
}

/** Reads a path in the work folder, unless it was replaced since. @param path as the model wrote it */
export async function readIn(
  workFolder: string,
  path: string,
  summaryOf: (place: string) => string,
  read: (place: ConfinedPath, signal: AbortSignal) => Promise<ToolOutcome>,
): Promise<PreparedCall> {
  const place = await confine(workFolder, path)
  if (place.kind === 'outside') return outside(place.reason)
  return {
    kind: 'ready',
    summary: summaryOf(oneLine(place.relative)),
    run: async (signal) => {
      const moved = await hasMoved(workFolder, path, place)
      return moved === undefined ? read(place, signal) : errorOutcome(moved)
    },
  }
}

export function okOutcome(output: string): ToolOutcome {
  return { status: 'ok', output }
}

export function errorOutcome(output: string): ToolOutcome {
  return { status: 'error', output }
}

export function invalid(reason: string, label?: RefusalLabel, longest = maxReasonLength): PreparedCall {
  const shown = reason.length > longest ? `${reason.slice(0, longest)} ...` : reason
  return { kind: 'invalid', reason: shown, ...given({ label }) }
}

export function outside(reason: string): PreparedCall {
  return invalid(reason, 'outside_work_folder')
}

/** Invalid edits report the current text, so that the next one can be right. */
export function invalidEdit(reason: string, label?: RefusalLabel): PreparedCall {
  return invalid(reason, label, maxPatchReasonLength)
}

function parametersOf(schema: z.ZodType): JsonValue {
  const entries = Object.entries(z.toJSONSchema(schema, { io: 'input' }))
  return z.json().parse(Object.fromEntries(entries.filter(([key]) => key !== '$schema')))
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

/** An interrupted call does not start, and errors become results. */
function guardRun(prepared: ReadyCall): ReadyCall {
  return {
    ...prepared,
    async run(signal, context) {
      if (signal.aborted) return { status: 'interrupted', output: 'interrupted before it began' }
      try {
        return await prepared.run(signal, context)
      } catch (error) {
        return endedBy(error, signal)
      }
    },
  }
}

function endedBy(error: unknown, { aborted }: AbortSignal): ToolOutcome {
  return { status: aborted ? 'interrupted' : 'error', output: messageOf(error) }
}

export const pathArgument = z.string().min(1).max(4_096)

export const filesArgument = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe('Only files that match, such as *.ts or src/**/*.test.ts.')

export const allArgument = z.boolean().optional().describe('Include .git and node_modules. Default false.')

const maxTextLength = 2 * 1024 * 1024

/** Text that survives a round trip through a file. */
export const textArgument = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= maxTextLength, { error: `longer than ${maxTextLength} bytes` })
  .refine((text) => text.isWellFormed(), {
    error: 'not valid Unicode: half of a surrogate pair stands alone',
  })
  .refine((text) => !text.includes('\0'), { error: 'it has NUL characters: only text can be written' })

interface PlainText {
  /** CR LF is shown as line feeds unless line endings are mixed. */
  readonly text: string
  readonly lineEnding: 'lf' | 'crlf'
}

export function plainText(text: string): PlainText {
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  return isCrlf ? { text: text.replaceAll('\r\n', '\n'), lineEnding: 'crlf' } : { text, lineEnding: 'lf' }
}

/** Lines without ends; a final line end starts no further line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** One line of limited length; control characters are escaped. */
export function oneLine(text: string, maxLength = 200): string {
  const escaped = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    JSON.stringify(character).slice(1, -1),
  )
  return escaped.length > maxLength ? `${escaped.slice(0, maxLength)} ...` : escaped
}
