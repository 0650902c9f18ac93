import { type RawBuilder, sql } from 'kysely'

/**
 * Below this transaction id (xid8) no transaction is open that may still write into this journal: what stands there is final.
 * As a subquery, which a statement reads once. Transactions of other databases of the server do not count.
 */
export const journalHorizon: RawBuilder<string> = sql`(select journal_horizon())`
