export { buildReceipt } from './build-receipt.ts'
export {
  differs,
  matches,
  notChecked,
  verifyReceipt,
  type ReceiptCheck,
  type ReceiptLine,
  type ReceiptSources,
  type TreeNow,
} from './verify-receipt.ts'
export { admitReceipt, type GateResult } from './gate.ts'
export { envelopeOf, parseReceiptFile, preAuthentication, type ReceiptFile } from './envelope.ts'
