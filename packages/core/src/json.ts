/** What a JSON document may hold. Recorded values are kept in this form; see docs/format.md for the tagged forms inside it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of JSON values. Keys keep their order; `__proto__` may be one of them, so never read it through plain assignment. */
export interface JsonObject {
  readonly [key: string]: Json
}
