/** Where the JSON schema of the configuration lies in the package; a file in the project names it so. */
export const configSchemaPath = 'dist/config.schema.json'
