import { patternOf, secretsOf, type SecretPart } from './secret-shape.ts'
import { secretShapes } from './secret-shapes.ts'

/** How far around a cut a secret of a known shape is looked for. */
export const furthestLook = 8192

/**
 * Where a text may be cut so that no piece of a key of a known shape is left: a piece has no shape any more, and nobody could mask
 * it later.
 * @param at where it would be cut
 * @param kept which side of the cut is kept: the cut moves so that the whole key is on the other one
 */
export function cutBesideSecrets(text: string, at: number, kept: 'before' | 'behind'): number {
  const from = Math.max(0, at - furthestLook)
  const spans = spansIn(text.slice(from, at + furthestLook))
  let cut = at - from
  for (let across = spanAcross(spans, cut); across !== undefined; across = spanAcross(spans, cut))
    cut = kept === 'before' ? across.start : across.end
  return from + cut
}

function spanAcross(spans: readonly SecretPart[], cut: number): SecretPart | undefined {
  return spans.find(({ start, end }) => start < cut && cut < end)
}

function spansIn(text: string): readonly SecretPart[] {
  return secretShapes.flatMap((shape) => secretsOf(shape, text, () => patternOf(shape)))
}
