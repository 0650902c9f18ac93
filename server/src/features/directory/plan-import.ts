import { randomUUID } from 'node:crypto'
import type { AssignmentUid, PersonUid } from '@evac/contract/ids.ts'
import type { Tx } from '../../platform/db/db.ts'
import { type JournalActor, type JournalEntry, record, unattended } from '../../platform/db/journal.ts'
import { endConsoleSessions } from '../console-sign-in/console-session.service.ts'
import { leaveRunningEvents } from '../events/event-wardens.service.ts'
import { endMisdirected } from '../invitations/invitations.service.ts'
import { endSessions } from '../sign-in/session.service.ts'
import {
  type ExistingAccount,
  insertAccounts,
  linkAccounts,
  releaseIdentifiers,
  updateAccounts,
} from './accounts/account.queries.ts'
import type { PlannedAccount } from './accounts/account-plan.ts'
import { differs, type PlannedAssignment } from './assignments/assignment-plan.ts'
import { writeAssignments } from './assignments/write-assignments.ts'
import { directoryFiles } from './files/directory-files.ts'
import type { Problems } from './files/problems.ts'
import type { FileRows } from './files/reading.ts'
import {
  type ClientValues,
  endPeeps,
  endPeople,
  insertClient,
  type ManagerPost,
  type OnDuty,
  type RunningEvent,
  updateClient,
} from './import.queries.ts'
import type { FileChanges } from './import-report.ts'
import { type AccountChanges, type PeopleAtom, peopleAtoms, sizeOf } from './people-atoms.ts'
import { headerOf, type Listing, listing, Wording } from './preview.ts'
import type { CheckedTables } from './read-tables.ts'
import { type Person, type Role, spare, spareRunning, type Touching } from './spare-on-duty.ts'
import { type Part, part, type Work } from './steps.ts'
import { type ChangedRow, differenceOf } from './stored/difference.ts'
import {
  type HeldRow,
  insertRows,
  stepAside,
  type TargetColumn,
  type TargetName,
  type TargetRow,
  targets,
  updateRows,
} from './stored/write.queries.ts'
import { entriesOfEvents, entriesOfPeople, Trail } from './trail.ts'

export interface PlanInput {
  tables: CheckedTables
  planned: readonly PlannedAccount[]
  existing: readonly ExistingAccount[]
  accounts: AccountChanges
  /** Keys of stored files, by document code. */
  storageKeys: ReadonlyMap<string, string>
  onDuty: readonly OnDuty[]
  managers: readonly ManagerPost[]
  /** Whose site, type and texts stay as they are. A form refuses such a change before. */
  running?: readonly RunningEvent[]
  /** Collects what is left unchanged. */
  notes: Problems
  /** Who is told in the journal. An import without one is told by its report alone. */
  by?: JournalActor
  /** People who stay, because nobody could administer the organisation without them. */
  administrators?: ReadonlySet<string>
  /** Changes by file. */
  onDone: (file: string, kind: ChangeKind, rows: number) => void
}
export type ChangeKind = 'created' | 'updated' | 'ended'

export interface ImportPlan {
  /** Planned changes. */
  files: FileChanges[]
  parts: Part[]
  /** Ends that somebody on duty, or the last administrator, puts off (ORG-44). */
  putOff: PutOff
}

export interface PutOff {
  people: readonly PersonUid[]
  assignments: readonly { uid: AssignmentUid; personUid: PersonUid }[]
}

/**
 * Plans the differences between files and database in writing order: places, roles, lists, people, PEEPs, assignments and
 * documents that are added or changed, then everything that ends. So nobody leaves before their successor exists.
 */
export function planImport(input: PlanInput): ImportPlan {
  const tables = spareRunning(input.tables, input.running ?? [], input.notes)
  const planner = new Planner({ ...input, tables })
  planner.client()
  planner.table('sites.csv', 'site', tables.sites)
  planner.table('buildings.csv', 'building', tables.buildings)
  planner.table('floors.csv', 'floor', tables.floors)
  planner.roles()
  planner.table('event_types.csv', 'eventType', tables.eventTypes)
  planner.table('floor_statuses.csv', 'floorStatus', tables.floorStatuses)
  planner.table('templates.csv', 'template', tables.templates)
  planner.people()
  planner.peeps()
  planner.assignments()
  planner.documents()
  return { files: planner.files, parts: [...planner.parts, ...planner.ends()], putOff: planner.putOff() }
}

class Planner {
  readonly files: FileChanges[] = []
  readonly parts: Part[] = []
  readonly #input: PlanInput
  readonly #clientUid: string
  readonly #words: Wording
  readonly #spared: Touching
  readonly #trail: Trail
  readonly #overPeeps: string[] = []

  constructor(input: PlanInput) {
    this.#input = input
    this.#clientUid = input.tables.known.client.uid
    this.#trail = new Trail(input.by)
    this.#words = new Wording(input.tables)
    const { missingPeople, people, roles, assignments } = input.tables
    const touching = {
      ...{ missingPeople, people: people?.rows ?? [], roles: roles?.rows ?? [] },
      assignments: { rows: assignments?.rows ?? [], missing: (assignments?.missing ?? []).map(({ uid }) => uid) },
    }
    this.#spared = spare(touching, input.managers, input.onDuty, {
      ...{ notes: input.notes, held: input.tables.held, administrators: input.administrators },
    })
  }

  client() {
    const { organisation, client, known } = this.#input.tables
    const { row, columns } = organisation
    const own: Partial<ClientValues> & { name: string } = {
      name: row.name,
      ...(columns.has('sms_allowed') && { smsAllowed: row.smsAllowed }),
      ...(columns.has('timezone') && { timezone: row.timezone }),
      ...(columns.has('country') && { country: row.country }),
    }
    const isChanged = client && changedColumns(client, own).length > 0
    const write = (tx: Tx) =>
      client ? updateClient(tx, client.uid, own) : insertClient(tx, { uid: known.client.uid, code: row.code, ...own })
    const columnsTold = client ? changedColumns(client, own) : Object.keys(own)
    const told = listing([row], ({ code, name }) => ({
      line: 2,
      title: `${code} ${name}`,
      cells: columnsTold.map((column) => ({
        column: headerOf(column),
        before: client ? cellOf(client[column as keyof typeof own]) : null,
        after: cellOf(own[column as keyof typeof own]),
      })),
    }))
    this.#tell('organisation.csv', 1, client ? none : told, isChanged ? told : none)
    if (isChanged || !client) this.#add('organisation.csv', client ? 'updated' : 'created', [row], write)
  }

  table<N extends TargetName>(
    file: string,
    name: N,
    rows: FileRows<TargetRow<N>> | undefined,
    over: readonly string[] = [],
    touching?: (rows: readonly TargetRow<N>[]) => Partial<Touching>,
  ) {
    if (!rows) return
    const difference = this.#differ(file, name, rows, over)
    const scopes = Map.groupBy(difference.changed, (change) => scopeOf(name, change))
    this.#add(file, 'updated', [...scopes.values()], (tx, changes) => this.#update(tx, name, changes.flat()), {
      size: (changes) => changes.length,
      rows: (changes) => changes.length,
      ...(touching && { touching: (changes) => touching(changes.flat().map(({ row }) => row)) }),
    })
    this.#add(file, 'created', difference.added, (tx, added) => this.#insert(tx, name, added))
  }

  roles() {
    const { roles } = this.#input.tables
    const rows = roles && { rows: [...this.#spared.roles], columns: roles.columns }
    this.table('roles.csv', 'role', rows, [], (roles) => ({ roles: roles as readonly Role[] }))
  }

  people() {
    const { tables, accounts, existing, planned } = this.#input
    const rows =
      tables.people &&
      this.#spared.people.map((row) => ({ ...row, accountUid: accounts.accountOf.get(row.uid) ?? null }))
    const inFile = new Set(tables.people?.rows.map(({ uid }) => uid))
    const links = [...accounts.accountOf].filter(([uid]) => !inFile.has(uid))
    this.#tellAccounts(planned)
    const difference = this.#differ(
      'people.csv',
      'person',
      rows && { rows, columns: tables.people?.columns ?? new Set() },
      this.#spared.missingPeople,
    )
    const atoms = peopleAtoms(
      difference,
      links.map(([uid, accountUid]) => ({ uid, accountUid })),
      accounts,
      existing,
    )
    const write = async (tx: Tx, some: readonly PeopleAtom[]) => this.#writePeople(tx, some)
    const done = (some: readonly PeopleAtom[]) => {
      const sum = (kind: 'added' | 'changed' | 'created' | 'updated') =>
        some.reduce((n, atom) => n + atom[kind].length, 0)
      this.#input.onDone('accounts', 'created', sum('created'))
      this.#input.onDone('accounts', 'updated', sum('updated'))
      this.#input.onDone('people.csv', 'created', sum('added'))
      this.#input.onDone('people.csv', 'updated', sum('changed'))
    }
    const touching = (some: readonly PeopleAtom[]) => {
      const leaving = some.flatMap(({ changed }) => changed).filter(({ columns }) => columns.includes('kind'))
      return leaving.length > 0 ? { people: leaving.map(({ row }) => row as unknown as Person) } : {}
    }
    this.parts.push(part(atoms, { size: sizeOf, touching, write, done }))
  }

  peeps() {
    const { peeps } = this.#input.tables
    if (!peeps) return
    const { held } = this.#input.tables
    const over = peeps.rows.filter(({ active, uid }) => !active && held.peep.has(uid)).map(({ personUid }) => personUid)
    this.#overPeeps.push(...over)
    const going = { rows: peeps.rows.filter(({ active }) => active), columns: peeps.columns }
    this.table('peeps.csv', 'peep', going, over)
  }

  assignments() {
    const { assignments } = this.#input.tables
    if (!assignments) return
    const rows = this.#spared.assignments.rows.filter(differs)
    const added = rows.filter(({ isNew }) => isNew)
    const changed = rows.filter(({ isNew }) => !isNew)
    const missing = new Set(this.#spared.assignments.missing)
    const ended = assignments.missing.filter(({ uid }) => missing.has(uid))
    const { assignment: change, describeAssignment: describe } = this.#words
    this.#tell(
      'assignments.csv',
      assignments.rows.length,
      listing(added, change, describe),
      listing(changed, change, describe),
      listing(ended, this.#words.endedAssignment),
    )
    const write = (tx: Tx, rows: readonly PlannedAssignment[]) =>
      writeAssignments(tx, this.#actor, { rows, missing: [] })
    const touching = (rows: readonly PlannedAssignment[]) => ({ assignments: { rows, missing: [] } })
    this.#add('assignments.csv', 'created', added, write, { size: rowsOf })
    const standing = changed.filter(({ endsBy }) => endsBy === undefined)
    this.#add('assignments.csv', 'updated', standing, write, { size: rowsOf, touching })
  }

  documents() {
    const { tables, storageKeys } = this.#input
    const rows = tables.documents?.rows.map((row) => ({
      ...row,
      storageKey: storageKeys.get(row.code) ?? row.storageKey,
    }))
    this.table('documents.csv', 'document', rows && { rows, columns: tables.documents?.columns ?? new Set() })
  }

  /** Ends PEEPs, then assignments and people. */
  ends(): Part[] {
    const { onDone } = this.#input
    const { assignments, missingPeople } = this.#spared
    const endings = assignments.rows.filter((row) => row.endsBy !== undefined && differs(row))
    const plans = part(this.#overPeeps, {
      write: async (tx, over) => {
        await endPeeps(tx, this.#clientUid, over)
        await this.#tellTrail(tx, [
          ...this.#trail.ended('plan_changed', over),
          ...(await entriesOfPeople(tx, this.#clientUid, 'plan_changed', over)),
        ])
      },
      done: (over) => onDone('peeps.csv', 'ended', over.length),
    })
    const rows = part(endings, {
      size: rowsOf,
      touching: (some) => ({ assignments: { rows: some, missing: [] } }),
      write: (tx, some) => writeAssignments(tx, this.#actor, { rows: some, missing: [] }),
      done: (some) => onDone('assignments.csv', 'updated', some.length),
    })
    const missing = part(assignments.missing, {
      size: () => 2,
      touching: (some) => ({ assignments: { rows: [], missing: some } }),
      write: (tx, some) => writeAssignments(tx, this.#actor, { rows: [], missing: some }),
      done: (some) => onDone('assignments.csv', 'ended', some.length),
    })
    const people = part(missingPeople, {
      touching: (some) => ({ missingPeople: some }),
      write: async (tx, some) => {
        await leaveRunningEvents(tx, this.#actor, { assignmentUids: [], personUids: some })
        const accounts = await endPeople(tx, this.#clientUid, some)
        await endSessions(tx, accounts)
        await endConsoleSessions(tx, accounts)
        await this.#tellTrail(tx, [
          ...this.#trail.ended('person_deactivated', some),
          ...(await entriesOfPeople(tx, this.#clientUid, 'person_deactivated', some)),
        ])
      },
      done: (some) => onDone('people.csv', 'ended', some.length),
    })
    return [plans, rows, missing, people]
  }

  putOff(): PutOff {
    const { missingPeople, assignments } = this.#input.tables
    const spared = this.#spared
    const goes = new Set([...spared.missingPeople, ...spared.assignments.missing])
    const stands = new Set(spared.assignments.rows.map(({ uid }) => uid))
    const left = [
      ...(assignments?.missing ?? []).filter(({ uid }) => !goes.has(uid)),
      ...(assignments?.rows ?? []).filter(({ uid, ends }) => ends && !stands.has(uid)),
    ]
    return {
      people: missingPeople.filter((uid) => !goes.has(uid)) as PersonUid[],
      assignments: left.map(({ uid, personUid }) => ({
        uid: uid as AssignmentUid,
        personUid: personUid as PersonUid,
      })),
    }
  }

  #differ<N extends TargetName>(
    file: string,
    name: N,
    rows: FileRows<TargetRow<N>> | undefined,
    over: readonly string[],
  ) {
    const optional = Object.values(directoryFiles).find((format) => format.file === file)?.optional ?? []
    const isTold = (header: string) => !optional.includes(header) || rows?.columns.has(header)
    const columns = columnsOf(name).filter((column) => isTold(headerOf(column)))
    const held = this.#input.tables.held[name] as ReadonlyMap<string, HeldRow<N>>
    const difference = differenceOf<N>(rows?.rows ?? [], ({ uid }) => held.get(uid), columns)
    if (rows)
      this.#tell(
        file,
        rows.rows.length,
        listing(difference.added, (row) => this.#words.added(name, row)),
        listing(
          difference.changed,
          (row) => this.#words.changed(name, row),
          (change) => this.#words.describe(name, change),
        ),
        listing(over, this.#words.endedPerson(name === 'peep' ? 'peeps' : 'people')),
      )
    return difference
  }

  #tell(file: string, rows: number, added: Listing, changed: Listing, ended: Listing = none) {
    const [created, updated] = [added.count, changed.count]
    const unchanged = Math.max(0, rows - created - updated)
    this.files.push({ file, created, updated, unchanged, ended: ended.count, lists: { added, changed, ended } })
  }

  #tellAccounts(planned: readonly PlannedAccount[]) {
    const { created, updated, unchanged } = this.#input.accounts
    const total = created.length + updated.length + unchanged
    if (total === 0) return
    const plans = new Map(planned.map((account) => [account.uid, account]))
    const change = ({ uid, passwordHash }: { uid: string; passwordHash: string | null }) => {
      const plan = plans.get(uid) as PlannedAccount
      return this.#words.account(plan, passwordHash !== (plan.existing?.passwordHash ?? null))
    }
    const list = (rows: readonly { uid: string; passwordHash: string | null }[], isNew: boolean) =>
      listing(rows, change, (row) => this.#words.describeAccount(row, isNew))
    this.#tell('accounts', total, list(created, true), list(updated, false))
  }

  /** `size` is the number of rows that an atom writes, `rows` the rows of the file in it. */
  #add<T>(
    file: string,
    kind: ChangeKind,
    atoms: readonly T[],
    write: (tx: Tx, atoms: readonly T[]) => Promise<void>,
    { rows = () => 1, ...work }: Pick<Work<T>, 'size' | 'touching'> & { rows?: (atom: T) => number } = {},
  ) {
    const done = (some: readonly T[]) =>
      this.#input.onDone(
        file,
        kind,
        some.reduce((sum, atom) => sum + rows(atom), 0),
      )
    this.parts.push(part(atoms, { ...work, write, done }))
  }

  async #update<N extends TargetName>(tx: Tx, name: N, changes: readonly ChangedRow<N>[]) {
    if (name === 'peep') return this.#replacePlans(tx, changes as unknown as readonly ChangedRow<'peep'>[])
    await stepAside(
      tx,
      this.#clientUid,
      name,
      changes.map(({ row }) => row),
    )
    // one statement for all rows with the same changed columns
    for (const same of Map.groupBy(changes, ({ columns }) => columns.join()).values())
      await updateRows(
        tx,
        this.#clientUid,
        name,
        same[0]?.columns ?? [],
        same.map(({ row }) => row),
      )
    await this.#tellChanged(tx, name, changes)
  }

  /** PPL-33: a changed plan ends, and another one begins. */
  async #replacePlans(tx: Tx, changes: readonly ChangedRow<'peep'>[]) {
    const rows = changes.map(({ row, held, columns }) => ({
      ...held,
      ...Object.fromEntries(columns.map((column) => [column, row[column]])),
      uid: randomUUID(),
    }))
    await endPeeps(
      tx,
      this.#clientUid,
      rows.map(({ personUid }) => String(personUid)),
    )
    await insertRows(tx, this.#clientUid, 'peep', columnsOf('peep'), rows)
    await this.#tellChanged(tx, 'peep', changes)
  }

  async #insert<N extends TargetName>(tx: Tx, name: N, rows: readonly TargetRow<N>[]) {
    await insertRows(tx, this.#clientUid, name, columnsOf(name), rows)
    const isShown = name === 'floorStatus' || name === 'peep'
    const added = isShown ? rows.map((row) => ({ row, columns: columnsOf(name) })) : []
    await this.#tellTrail(tx, [
      ...this.#trail.added(name, rows),
      ...(await entriesOfEvents(tx, this.#clientUid, name, added)),
    ])
  }

  async #tellChanged<N extends TargetName>(tx: Tx, name: N, changes: readonly ChangedRow<N>[]) {
    await this.#tellTrail(tx, [
      ...this.#trail.changed(name, changes),
      ...(await entriesOfEvents(tx, this.#clientUid, name, changes)),
    ])
  }

  get #actor(): JournalActor {
    return this.#trail.actor ?? unattended(this.#clientUid)
  }

  async #tellTrail(tx: Tx, entries: readonly JournalEntry[]) {
    await record(tx, this.#actor, entries)
  }

  async #writePeople(tx: Tx, atoms: readonly PeopleAtom[]) {
    const released = atoms.flatMap((atom) => atom.released)
    const updated = atoms.flatMap((atom) => atom.updated)
    const created = atoms.flatMap((atom) => atom.created)
    const added = atoms.flatMap((atom) => atom.added)
    const links = atoms.flatMap((atom) => atom.links)
    if (updated.length > 0) await endMisdirected(tx, this.#clientUid, updated)
    if (released.length > 0) await releaseIdentifiers(tx, this.#clientUid, released)
    if (updated.length > 0) await endSessions(tx, await updateAccounts(tx, this.#clientUid, updated))
    if (created.length > 0) await insertAccounts(tx, this.#clientUid, created)
    await this.#update(
      tx,
      'person',
      atoms.flatMap((atom) => atom.changed),
    )
    if (added.length > 0) await this.#insert(tx, 'person', added)
    if (links.length > 0) await linkAccounts(tx, this.#clientUid, links)
  }
}

const columnsOf = <N extends TargetName>(name: N) => Object.keys(targets[name].columns) as TargetColumn<N>[]

const none: Listing = listing([], () => ({ line: null, title: '', cells: [] }))

const changedColumns = (client: object, own: object) =>
  Object.entries(own)
    .filter(([name, value]) => client[name as keyof typeof client] !== value)
    .map(([name]) => name)

const cellOf = (value: unknown) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value))

/** Rows of an assignment: itself, its places, and its journal entry. */
const rowsOf = ({ locations }: PlannedAssignment) => locations.length + 2

/** Rows that may exchange a unique name change together, so that an interrupted run leaves none without one. */
function scopeOf<N extends TargetName>(name: N, { row, held }: ChangedRow<N>): unknown {
  if (name === 'floor') return (held as HeldRow<'floor'>).buildingUid
  return 'uniqueName' in targets[name] ? name : row
}
