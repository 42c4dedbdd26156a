export { concludeVerification } from './conclude-verification.ts'
export { guardVeto } from './guard-veto.ts'
export { heldOutGap, heldOutGapOf, type HeldOutGap, type PassedShare } from './held-out-gap.ts'
export { isDecided } from './is-decided.ts'
export { isOpen } from './is-open.ts'
export { inOrderOfYield, yieldPerSecond, type CheckHistory } from './order.ts'
export {
  defaultFlakeBound,
  judgeTries,
  passesNeeded,
  type FlakeBound,
  type FlakeVerdict,
  type Tries,
} from './sequential-test.ts'
