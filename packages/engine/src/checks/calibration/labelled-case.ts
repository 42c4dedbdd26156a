/** Work whose verdict a person has given: one case a line. */
import { z } from 'zod'
import { UsageError } from '../../base/index.ts'

const text = z.string().trim().min(1)

const deed = z.strictObject({
  /** A call, such as a command line. */
  did: text,
  /** What came of it. */
  saw: z.string(),
})

const schema = z.strictObject({
  id: text,
  /** What was asked for. */
  task: text,
  /** Beside the task: what the answer must keep to. */
  rules: z.array(text),
  /** The oldest first. */
  happened: z.array(deed),
  /** What the drive said in the end; empty where it said nothing. */
  answer: z.string(),
  label: z.enum(['pass', 'fail']),
  /** Of a fail: what is wrong, in one word of a list. */
  category: text.exactOptional(),
  /** For whoever reads the case. */
  why: z.string(),
})

export type LabelledCase = z.output<typeof schema>
export type Deed = z.output<typeof deed>

/**
 * Cases of JSON Lines; of two with one id the later, so that a label can be given anew.
 * @param source for messages, such as a file name
 * @throws {UsageError} naming the line
 */
export function parseCases(jsonLines: string, source: string): readonly LabelledCase[] {
  const cases = jsonLines
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseCase(line, `${source}, line ${index + 1}`)]))
  return [...new Map(cases.map((one) => [one.id, one])).values()]
}

function parseCase(line: string, place: string): LabelledCase {
  const result = schema.safeParse(jsonOf(line, place))
  if (!result.success) {
    const [issue] = result.error.issues
    throw new UsageError(`${place}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`)
  }
  const { label, category } = result.data
  if (label === 'pass' && category !== undefined)
    throw new UsageError(`${place}: a pass has no category, and "${category}" says what is wrong`)
  return result.data
}

function jsonOf(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new UsageError(`${place} is no JSON`)
  }
}
