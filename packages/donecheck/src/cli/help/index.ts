/** What is made of the options when the package is built. */
export { configJsonSchema } from './config-schema.ts'
export { configSchemaPath } from './config-schema-path.ts'
export { helpPages } from './help-pages.ts'
