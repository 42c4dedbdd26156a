/** What a model may do in the work folder. */
export { goalTools } from './goal-tools.ts'
export { defaultTools } from './default-tools.ts'
export { defineTool } from './define-tool.ts'
