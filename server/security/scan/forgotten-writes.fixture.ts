import pg from 'pg'

type Query = (this: unknown, config: unknown, ...rest: unknown[]) => unknown

/**
 * Ends each transaction of this process by a rollback once `begin` is called, so that every request finds what the one before
 * has found: a person is deactivated, a version changed, a ticket used as often as a scan wants. Call it before a connection is
 * opened. Statements outside of transactions are kept.
 */
export function forgetWrites() {
  let isForgetting = false
  const query = pg.Client.prototype.query as unknown as Query
  const forgetful: Query = function (config, ...rest) {
    return query.call(this, isForgetting && config === 'commit' ? 'rollback' : config, ...rest)
  }
  pg.Client.prototype.query = forgetful as unknown as typeof pg.Client.prototype.query
  return {
    begin() {
      isForgetting = true
    },
  }
}
