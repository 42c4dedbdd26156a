export const configSchemaPath = 'dist/config.schema.json'
