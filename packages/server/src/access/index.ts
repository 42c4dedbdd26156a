/** Who may ask for what, and what every answer tells the browser that shows it. */
export { securityHeaders } from './security-headers.ts'
