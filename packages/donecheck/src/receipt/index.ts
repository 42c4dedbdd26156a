/** Receipts: what was checked, on which tree, with what result, for others to read and to compare with the events. */
export { buildReceipt } from './build-receipt.ts'
export type { ReceiptSource } from './build-receipt.ts'
export { verifyReceipt } from './verify-receipt.ts'
export type { ReceiptCheck, ReceiptSources } from './verify-receipt.ts'
export type { TreeNow } from './check-tree.ts'
export type { ReceiptLine, ReceiptLineStatus } from './receipt-line.ts'
export { chainAlgorithm, chainOf } from './chain.ts'
export { predicateType, statementType } from './receipt.ts'
export type {
  CheckedCommand,
  CheckedVerdict,
  CheckedVerifier,
  Receipt,
  ReceiptChain,
  ReceiptEnd,
  ReceiptFinding,
  ReceiptPredicate,
  ReceiptSubject,
  ReceiptVersions,
} from './receipt.ts'
export type { HeldOutGap, PassedShare } from '../core/index.ts'
