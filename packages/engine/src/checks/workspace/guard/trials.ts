import type { VerifierResult } from '../../../ports/checks.ts'
import { bytePathOfText } from '../../../system/trees/index.ts'
import type { Overlay } from './independent-tree.ts'
import type { CheckSideChange } from './sided-changes.ts'

type Run = (undone: readonly CheckSideChange[], overlay: Overlay) => Promise<VerifierResult>

const nothing: Overlay = new Map()

/** Finds changes that make a check pass and that experiments show to be product. No result proves nothing. */
export async function findProduct(
  undone: readonly CheckSideChange[],
  run: Run,
): Promise<readonly CheckSideChange[]> {
  const unsure = undone.filter(({ placement: { trial } }) => trial !== undefined)
  if (unsure.length === 0) return []
  const sure = undone.filter((change) => !unsure.includes(change))
  const isGreen = sure.length === 0 || (await run(sure, nothing)).status === 'passed'
  const others = isGreen ? sure : []
  const isKnownRed = isGreen && unsure.length === 1
  const product: CheckSideChange[] = []
  for (const change of unsure)
    if ((!isKnownRed && !(await isNeeded(change, others, run))) || !(await decides(change, others, run)))
      product.push(change)
  return product
}

async function isNeeded(
  change: CheckSideChange,
  others: readonly CheckSideChange[],
  run: Run,
): Promise<boolean> {
  return (await run([...others, change], nothing)).status !== 'passed'
}

async function decides(
  change: CheckSideChange,
  others: readonly CheckSideChange[],
  run: Run,
): Promise<boolean> {
  const { trial } = change.placement
  if (trial === undefined) return true
  const { kind, path, text } = trial
  const file = {
    kind: 'file',
    content: Buffer.from(text),
    mode: change.change.before?.mode ?? 0o644,
  } as const
  const undone = kind === 'judges' ? [...others, change] : others
  const { status } = await run(undone, new Map([[bytePathOfText(path), file]]))
  return status !== 'failed'
}
