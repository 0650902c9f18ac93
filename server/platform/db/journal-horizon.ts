import { type RawBuilder, sql } from 'kysely'

/**
 * Below this transaction id (xid8) no transaction is open that may still write into this journal: what stands there is final.
 * As a subquery, which a statement reads once. Transactions of other databases of the server do not count.
 */
export const journalHorizon: RawBuilder<string> = sql`(select journal_horizon())`

/**
 * Below it the transaction id of an entry is not of this server: 0 after a restore, 1 and more of organisations that came from
 * another installation, whose positions may be those of others. The first transaction of a new server is above 700.
 */
export const foreignTransactions = 500
export const firstOwnTransaction: RawBuilder<string> = sql.raw(`'${foreignTransactions}'::xid8`)
