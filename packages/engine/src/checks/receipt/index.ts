/** Receipts: what was checked, on which tree, with what result, for others to read and to compare with the events. */
export { buildReceipt } from './build-receipt.ts'
export { verifyReceipt } from './verify-receipt.ts'
export type { ReceiptCheck } from './verify-receipt.ts'
export type { TreeNow } from './verify-receipt.ts'
export type { ReceiptLine } from './receipt-line.ts'
