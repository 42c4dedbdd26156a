/** Verifiers: they look at the world and give a verdict. */
export { command } from './command.ts'
export type { CommandOptions } from './command.ts'
export { verifierOf } from './verifier-of.ts'
export type { UserVerifier, VerifierOfOptions } from './verifier-of.ts'
export type { VerifierOptions } from './describe-verifier.ts'
