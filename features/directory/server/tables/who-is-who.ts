import type { MappedColumn } from '#kernel/console-kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { nameFold } from '#kernel/name-fold.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type Holders, type Key, type Keys, listHolders } from './who-is-who.queries.ts'

/** A row of a table with other headings: its line and what it gives for our columns. */
export type GivenRow = { line: number } & Partial<Record<MappedColumn, string>>

interface Finding {
  made: ReadonlyMap<number, string>
  mobileOf: (text: string) => string | null
  refuse: (row: GivenRow, column: string, reason: string) => void
}

/**
 * The code of each row by its line, null where one must be made. Who is who by code, else by an e-mail, a mobile
 * or a full name that only one has. A row that may mean several people is a problem and has no code.
 */
export async function findWho(
  db: Db,
  clientUid: ClientUid,
  rows: readonly GivenRow[],
  { made, mobileOf, refuse }: Finding,
): Promise<Map<number, string | null>> {
  const keys = rows.map((row) => keysOf(row, made.get(row.line) ?? null, mobileOf))
  const known = new Known(await listHolders(db, clientUid, keys))
  const who = new Map<number, string | null>()
  const lineOf = new Map<string, number>()
  const settle = (row: GivenRow, code: string) => {
    const line = lineOf.get(code)
    if (line !== undefined) return refuse(row, '', `is the same person as line ${line}`)
    lineOf.set(code, row.line)
    who.set(row.line, code)
  }
  const unsettled: [GivenRow, Keys][] = []
  for (const [n, row] of rows.entries()) {
    const own = keys[n] as Keys
    const code = known.find(own)
    if (code) settle(row, code)
    else unsettled.push([row, own])
  }
  const claimed = new Set(lineOf.keys())
  for (const [row, own] of unsettled) {
    const [code, ...others] = known.who('name', own.name).filter((other) => !claimed.has(other))
    const nameColumn = row.full_name === undefined ? 'last_name' : 'full_name'
    const advice = 'give a code, an email or a mobile that only one of them has'
    if (code && others.length === 0) settle(row, code)
    else if (own.made) settle(row, own.made)
    else if (own.code) settle(row, own.code)
    else if (code) refuse(row, nameColumn, `is the name of ${others.length + 1} people: ${advice}`)
    else if (known.findsAgain(own, claimed)) who.set(row.line, null)
    else refuse(row, nameColumn, `is a name that another row or person has: ${advice}`)
  }
  return who
}

const keysOf = (row: GivenRow, made: string | null, mobileOf: Finding['mobileOf']): Keys => ({
  line: row.line,
  code: row.code || null,
  made,
  email: row.email?.toLowerCase() || null,
  mobile: row.mobile ? mobileOf(row.mobile) : null,
  name: nameFold(`${row.first_name ?? ''} ${row.last_name ?? ''}`) || null,
})

class Known {
  readonly #holders: ReadonlyMap<string, Holders>

  constructor(holders: readonly Holders[]) {
    this.#holders = new Map(holders.map((holder) => [`${holder.key} ${holder.value}`, holder]))
  }

  #of = (key: Key, value: string | null) => this.#holders.get(`${key} ${value}`)

  /** Those who have left count where no one else has the value. */
  who(key: Key, value: string | null): string[] {
    const { active = [], former = [] } = this.#of(key, value) ?? {}
    return active.length > 0 ? active : former
  }

  /** By what says more than a name. */
  find({ made, code, email, mobile }: Keys): string | undefined {
    const found = [this.who('code', made), this.who('code', code), this.who('email', email), this.who('mobile', mobile)]
    return found.find(({ length }) => length === 1)?.[0]
  }

  /** True if the same table finds a new person again. */
  findsAgain(own: Keys, claimed: ReadonlySet<string>): boolean {
    return (['email', 'mobile', 'name'] as const).some((key) => {
      const holder = this.#of(key, own[key])
      return holder?.lines.length === 1 && this.who(key, own[key]).every((code) => key === 'name' && claimed.has(code))
    })
  }
}
