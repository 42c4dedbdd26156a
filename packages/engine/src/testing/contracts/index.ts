/** Contract suites for vitest: what every implementation of a port keeps to. Needs vitest and fast-check. */
export { approvalQuestion, approverContract } from './approver-contract.ts'
export { driveContract } from './drive-contract.ts'
export { verifierContract } from './verifier-contract.ts'
