/** What is made of the options when the package is built. */
export { configJsonSchema } from './config-schema.ts'
export { configSchemaPath } from './config-schema-path.ts'
export { manPagePath } from './man-page.ts'
export { helpPages, ownManPage } from './help-pages.ts'
