/** What may run without asking. */
export { gateByApproval } from './gate-by-approval.ts'
export type { ApprovalMode } from './gate-by-approval.ts'
