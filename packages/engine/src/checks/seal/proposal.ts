/** What an author proposes, read once at the door. */
import { z } from 'zod'
import { isLoadedUnasked } from '../../analysis/sides/index.ts'

const maxFiles = 20
const maxFileCharacters = 100_000

const file = z.strictObject({ path: z.string(), text: z.string().max(maxFileCharacters) })
const files = z.array(file).max(maxFiles)
/** So much of the output must agree that it is no accident. */
const minReasonCharacters = 4
const common = {
  /** What it shows, in one sentence. */
  title: z.string().trim().min(1).max(300),
  files,
  /** A line for the shell, run in the project's folder. */
  command: z.string().trim().min(1).max(2_000),
}

const check = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('acceptance'),
    /** What its output says on the baseline tree. */
    failsWith: z.string().trim().min(minReasonCharacters).max(500),
  }),
  z.strictObject({ ...common, kind: z.literal('guard') }),
])

export const proposalSchema = z.strictObject({
  checks: z.array(check).min(1).max(8),
  /** One way to do the task: it shows that the checks can be met, and is then thrown away. */
  solution: files.min(1),
})

export type ProposedCheck = z.output<typeof check>
export type Proposal = z.output<typeof proposalSchema>

export type ParsedProposal =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'nonsense'; readonly problem: string }

/** Total: what cannot be understood is named. */
export function parseProposal(given: unknown): ParsedProposal {
  const parsed = proposalSchema.safeParse(given)
  if (parsed.success) return { kind: 'proposal', proposal: parsed.data }
  const [issue] = parsed.error.issues
  const place = issue?.path.map(String).join('.') ?? ''
  return {
    kind: 'nonsense',
    problem: `${place === '' ? 'the answer' : place}: ${issue?.message ?? 'not understood'}`,
  }
}

/** Why a file may not be laid over a copy. Undefined: it may. @param existing paths of the baseline tree */
export function problemOfCheckFile(path: string, existing: ReadonlySet<string>): string | undefined {
  if (!isInside(path)) return `its file ${path} is no path inside the project`
  if (existing.has(path)) return `its file ${path} would replace one of the project`
  return isLoadedUnasked(path) ? `its file ${path} would be loaded by other checks too` : undefined
}

/** @param isOfChecks whether a path belongs to the checks, which no solution may change */
export function problemOfSolution(
  solution: Proposal['solution'],
  isOfChecks: (path: string) => boolean,
): string | undefined {
  const outside = solution.find(({ path }) => !isInside(path))
  if (outside !== undefined) return `${outside.path} is no path inside the project`
  const check = solution.find(({ path }) => isOfChecks(path))
  return check === undefined ? undefined : `it changes ${check.path}, which belongs to the checks`
}

function isInside(path: string): boolean {
  const parts = path.split('/')
  const isPlain = parts.every((part) => !['', '.', '..'].includes(part) && !/[\\\0]/u.test(part))
  return isPlain && !['.git', '.donecheck', 'node_modules'].includes(parts[0] ?? '')
}
