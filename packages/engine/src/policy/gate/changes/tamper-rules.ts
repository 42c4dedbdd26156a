/**
 * The rules of tampering, which bring parsers along: who only asks about commands does without them. A gate loads them when
 * it is made, before anything runs that could change what is loaded.
 */
export const tamperRules = () => import('../../../analysis/tamper/index.ts')
