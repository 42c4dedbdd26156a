/** The work tree as a whole: is it the same as before? */
export { gitOrWalkWorkspace } from './fingerprint.ts'
