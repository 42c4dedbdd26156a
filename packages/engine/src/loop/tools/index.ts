export { goalTools } from './goal-tools.ts'
export { defaultTools } from './default-tools.ts'
export { defineTool } from './define-tool.ts'
