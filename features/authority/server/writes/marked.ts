import { sql } from 'kysely'

/** Stands in each statement that writes a sign-in, a grant or who is in use. In tests a trigger refuses a statement without it. */
export const marked = sql`/* authority */`
