/** A typed client of the service, for programs and for browsers: it needs nothing but `fetch`. */
export { ServiceError, serviceClient } from './client.ts'
export type { RequestOf, RouteName, ServiceAddress, ServiceClient } from './client.ts'
export type { Routes } from './routes.ts'
export type { Shapes } from './shapes.ts'
