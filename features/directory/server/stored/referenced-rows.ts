import { type RawBuilder, sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import { oneName } from '#kernel/name-fold.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { DirectoryFile } from '../../columns.ts'
import { type ExistingAssignment, listAssignments } from './load-code-index.queries.ts'
import { byKey, type RowsOf, type Stored, type StoredClient, storedOf } from './stored-rows.ts'
import { type HeldRow, listHeld, type TargetName, targets } from './write.queries.ts'

/**
 * A row of a form: cells of the import format, only those that change. `uid`: the stored row, null for one that must be
 * new. Without `uid` the code says which row it is. An undefined cell is left out.
 */
export type FormRow = Readonly<Record<string, string | null | undefined>>
export type FormRows = Partial<Record<DirectoryFile, readonly FormRow[]>>

/** What the rows name or refer to. Costs the same for an organisation of any size. */
export async function loadNamed(db: Db, client: NonNullable<StoredClient>, rows: FormRows): Promise<Stored> {
  const found = new Found(db, client.uid)
  const names = new Names(rows)
  const own = await listAssignmentsOf(db, client.uid, 'uid', names.uids('assignments'))
  await found.add('document', { uid: names.uids('documents'), code: names.cells('documents', 'code') })
  const ofDocuments = (column: string) => found.column('document', column)
  await found.add('person', {
    uid: [...names.uids('people'), ...own.map(({ personUid }) => personUid), ...ofDocuments('personUid')],
    code: [...names.cells('people', 'code'), ...names.references('person')],
  })
  await found.add('peep', { uid: names.uids('peeps'), personUid: names.given('peeps') ? found.uids('person') : [] })
  await addPlaces(found, names, own)
  await found.add('site', {
    uid: [...names.uids('sites'), ...found.column('building', 'siteUid'), ...own.map(({ siteUid }) => siteUid)],
    code: [...names.cells('sites', 'code'), ...names.references('site')],
    name: names.cells('sites', 'name'),
  })
  await found.add('site', { uid: ofDocuments('siteUid') })
  await found.add('building', { name: names.cells('buildings', 'name'), siteUid: found.uids('site') }, 'and')
  await found.add('role', {
    uid: [...names.uids('roles'), ...own.map(({ roleUid }) => roleUid), ...ofDocuments('roleUid')],
    code: [...names.cells('roles', 'code'), ...names.references('role')],
    name: names.cells('roles', 'name'),
  })
  await found.add('eventType', { uid: names.uids('eventTypes'), code: names.cells('eventTypes', 'code') })
  await found.add('floorStatus', { uid: names.uids('floorStatuses'), code: names.cells('floorStatuses', 'code') })
  await found.add('checklistItem', {
    uid: names.uids('checklist'),
    code: names.cells('checklist', 'code'),
    text: names.cells('checklist', 'text'),
  })
  await found.add('template', { uid: names.uids('templates'), code: names.cells('templates', 'code') })
  const assignments = names.given('assignments')
    ? await listAssignmentsOf(db, client.uid, 'person_uid', found.uids('person'))
    : []
  const { uid, code, timezone, country } = client
  return storedOf(
    { client, held: byKey(found.rows()), assignments, members: new Map() },
    { uid, code, timezone, country },
  )
}

/** Buildings and floors, with those whose names the rows take. */
async function addPlaces(found: Found, names: Names, own: readonly ExistingAssignment[]) {
  const located = (kind: 'b' | 'f') =>
    own.flatMap(({ locations }) => locations.filter((place) => place.startsWith(kind)).map((place) => place.slice(1)))
  const texts = names.places()
  await found.add('building', {
    uid: [...names.uids('buildings'), ...found.column('person', 'visitingBuildingUid'), ...located('b')],
    code: [...names.cells('buildings', 'code'), ...names.references('building'), ...texts.map(([code = '']) => code)],
  })
  await found.add('floor', {
    uid: [...names.uids('floors'), ...found.column('person', 'primaryFloorUid'), ...located('f')],
  })
  await found.add('building', { uid: found.column('floor', 'buildingUid') })
  const floorCodes = [...names.cells('floors', 'code'), ...texts.flatMap(([, code]) => code ?? [])]
  await found.add('floor', { buildingUid: found.uids('building'), code: floorCodes }, 'and')
  await found.add('floor', { buildingUid: found.uids('building'), name: names.cells('floors', 'name') }, 'and')
}

/** What the rows name. */
class Names {
  readonly #rows: FormRows

  constructor(rows: FormRows) {
    this.#rows = rows
  }

  given = (file: DirectoryFile) => this.#of(file).length > 0
  uids = (file: DirectoryFile) => this.#of(file).flatMap(({ uid }) => uid ?? [])
  cells = (file: DirectoryFile, column: string) => this.#of(file).flatMap((row) => row[column]?.trim() ?? [])

  /** Codes in columns that refer to another file. */
  references(column: 'site' | 'building' | 'role' | 'person'): string[] {
    return (Object.keys(this.#rows) as DirectoryFile[]).flatMap((file) => this.cells(file, column))
  }

  /** `[building, floor]` of each place that the rows name. */
  places(): [string?, string?][] {
    const texts = [
      ...this.cells('people', 'floor'),
      ...this.cells('assignments', 'locations').flatMap((cell) => cell.split(';')),
    ]
    return texts.map((text) => text.split('/').map((part) => part.trim()) as [string?, string?])
  }

  #of(file: DirectoryFile): readonly FormRow[] {
    return this.#rows[file] ?? []
  }
}

/** The stored rows found so far. */
class Found {
  readonly #db: Db
  readonly #clientUid: ClientUid
  readonly #rows = new Map<TargetName, Map<string, HeldRow<TargetName>>>()

  constructor(db: Db, clientUid: ClientUid) {
    this.#db = db
    this.#clientUid = clientUid
  }

  /** Adds the rows that have one of the values in one of the columns, or in all of them. */
  async add(name: TargetName, wanted: Readonly<Record<string, readonly unknown[]>>, by: 'or' | 'and' = 'or') {
    const given = Object.entries(wanted).filter(([, values]) => values.length > 0)
    if (by === 'and' ? given.length < Object.keys(wanted).length : given.length === 0) return
    const conditions = given.map(([column, values]) => conditionOf(column, values))
    const known = this.#of(name)
    for (const row of await listHeld(
      this.#db,
      this.#clientUid,
      name,
      sql`(${sql.join(conditions, sql.raw(` ${by} `))})`,
    ))
      known.set(row.uid, row)
  }

  uids = (name: TargetName): string[] => [...this.#of(name).keys()]

  /** The values of a column that refers to another table. */
  column = (name: TargetName, column: string): string[] =>
    [...this.#of(name).values()].flatMap((row) => (row as unknown as Record<string, string | null>)[column] ?? [])

  rows = (): RowsOf =>
    Object.fromEntries(
      (Object.keys(targets) as TargetName[]).map((name) => [name, [...this.#of(name).values()]]),
    ) as unknown as RowsOf

  #of(name: TargetName) {
    const rows = this.#rows.get(name) ?? new Map<string, HeldRow<TargetName>>()
    this.#rows.set(name, rows)
    return rows
  }
}

/** Names by what is one to the reader. */
function conditionOf(column: string, values: readonly unknown[]): RawBuilder<unknown> {
  const stored = sql.ref(`t.${column}`)
  if (!/^(name|text)$/.test(column))
    return sql`${stored} = any (${[...new Set(values)]}::${sql.raw(/uid$/i.test(column) ? 'uuid' : 'text')}[])`
  const names = [...new Set(values.map((value) => oneName(String(value))))]
  return sql`lower(regexp_replace(trim(${stored}), '\\s+', ' ', 'g')) = any (${names}::text[])`
}

const listAssignmentsOf = async (
  db: Db,
  clientUid: ClientUid,
  column: 'uid' | 'person_uid',
  uids: readonly string[],
) => (uids.length === 0 ? [] : listAssignments(db, clientUid, isOneOf(column, uids)))

const isOneOf = (column: 'uid' | 'person_uid', uids: readonly string[]): RawBuilder<unknown> =>
  sql`${sql.ref(`a.${column}`)} = any (${uids}::uuid[])`
