import type { HeldOutGap } from '@donecheck/core/policies'

/** Such as `held-out 1 of 3, shown 5 of 5`; nothing, where nothing was held out. */
export function heldOutWords(gap: HeldOutGap | null): readonly string[] {
  if (gap === null) return []
  const { shown, heldOut } = gap
  return [`held-out ${heldOut.passed} of ${heldOut.total}, shown ${shown.passed} of ${shown.total}`]
}
