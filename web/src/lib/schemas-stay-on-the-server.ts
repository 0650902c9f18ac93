interface Schema {
  (...parts: unknown[]): Schema
  [part: string]: Schema
}

const none = function* () {}

/** Every property, call or constructor of a schema returns this empty object again. */
const schema: Schema = new Proxy((() => undefined) as unknown as Schema, {
  get: (_, part) => (part === Symbol.iterator ? none : schema),
  apply: () => schema,
})

/** Replaces `typebox` in the browser bundle. The server has validated its replies, so schemas never run here. */
export const Type = schema
