export { maskText, maskValue, type SecretValues } from './mask.ts'
export { cutBesideSecrets, furthestLook } from './secret-shapes.ts'
export type { Cut } from './mask-pieces.ts'
