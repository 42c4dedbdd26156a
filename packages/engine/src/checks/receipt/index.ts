/** Receipts: what was checked, on which tree, with what result, for others to read and to compare with the events. */
export { buildReceipt } from './build-receipt.ts'
export { verifyReceipt, type ReceiptCheck, type ReceiptSources, type TreeNow } from './verify-receipt.ts'
export { gateReceipt, type GateDemands, type GateResult } from './gate.ts'
export { envelopeOf, parseReceiptFile, preAuthentication, type ReceiptFile } from './envelope.ts'
export { differs, matches, notChecked, type ReceiptLine } from './verify-receipt.ts'
