export { approvalQuestion, approverContract } from './approver-contract.ts'
export { agentContract } from './agent-contract.ts'
export { verifierContract } from './verifier-contract.ts'
