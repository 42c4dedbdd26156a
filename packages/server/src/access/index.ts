/** Who may ask for what, under which address, how often, and what every answer tells the browser that shows it. */
export { isKnownHost, isLoopback, originsOf, type ListenAddress } from './addresses.ts'
export { rateLimit, type RateLimit } from './rate-limit.ts'
export { securityHeaders } from './security-headers.ts'
export { readPrivateFile } from './private-file.ts'
export { cookieName, sessionMs, sessionOf, userOfSession } from './session-cookie.ts'
export { knownUser, minTokenLength, newToken, readTokenFile, roles, userOfToken } from './users.ts'
export type { Role, User, Users } from './users.ts'
