import type { Socket } from 'node:net'
import type pg from 'pg'

type Query = (this: pg.Client, config: unknown, values?: unknown, callback?: unknown) => unknown

export const nameOf = (text: string) => /^\/\*= (\w+) \*\//.exec(text.slice(0, 60))?.[1]

/** A statement that begins so counts as answered once it is sent. If it fails, the next one does. */
export const unawaited = '/*~*/ '

/**
 * Calls `tell` for each statement. Gives statements marked by `prepared` their name. What is asked in one go is one write: at
 * PostgreSQL and here each write costs more than most statements.
 */
export function onQuery(client: pg.ClientBase, tell: () => void) {
  const plain = client.query as unknown as Query
  const { connection } = client as unknown as { connection: { stream: Socket } }
  let before: Promise<unknown> | undefined
  let isHeld = false
  const hold = () => {
    if (isHeld) return
    isHeld = true
    connection.stream.cork()
    process.nextTick(() => {
      isHeld = false
      connection.stream.uncork()
    })
  }
  const named: Query = function (config, values, callback) {
    tell()
    hold()
    if (typeof config === 'string' && config.startsWith(unawaited)) {
      before = Promise.all([before, plain.call(this, config)])
      before.catch(() => undefined)
      return Promise.resolve({ rows: [] })
    }
    const name = typeof config === 'string' ? nameOf(config) : undefined
    const answer = name
      ? plain.call(this, { name, text: config, values }, callback)
      : plain.call(this, config, values, callback)
    const both = before && Promise.all([before, answer]).then(([, own]) => own)
    before = undefined
    return both ?? answer
  }
  client.query = named as unknown as typeof client.query
}
