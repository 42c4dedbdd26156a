/** Does the work folder contradict what the drive says of its work? */
export { examineClaim, type ClaimRequest } from './examine-claim.ts'
