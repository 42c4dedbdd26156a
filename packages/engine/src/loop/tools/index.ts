/** What a model may do in the work folder. */
export { defaultTools } from './default-tools.ts'
