export { configJsonSchema } from './config-schema.ts'
export { configSchemaPath } from './config-schema-path.ts'
export { helpPages } from './help-pages.ts'
