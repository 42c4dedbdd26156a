export { approvalQuestion, approverContract } from './approver-contract.ts'
export { driveContract } from './drive-contract.ts'
export { verifierContract } from './verifier-contract.ts'
