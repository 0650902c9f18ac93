import type { Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import type { ExistingAccount } from './accounts/account.queries.ts'
import type { PlannedAccount } from './accounts/difference-of-accounts.ts'
import type { AccountChanges } from './accounts/table-accounts.ts'
import { agrees, differs, type PlannedAssignment } from './assignments/difference-of-assignments.ts'
import { type PutOff, planEnds, putOffOf, rowsOf } from './difference-of-ended.ts'
import { planClient } from './difference-of-organisation.ts'
import { directoryFiles, headerOf } from './files/directory-files.ts'
import type { Problems } from './files/problems.ts'
import type { FileRows } from './files/reading.ts'
import type { ManagerPost, OnDuty, RunningEvent } from './import.queries.ts'
import type { FileChanges } from './import-report.ts'
import { type ChangeKind, type OnDone, type Part, part, type Work } from './import-steps.ts'
import { type Listing, listing, noListing, Wording } from './preview.ts'
import { type Person, type Role, spare, spareRunning, type Touching } from './protect-on-duty.ts'
import type { CheckedTables } from './read-tables.ts'
import type { NewMember } from './row-readers/groups.ts'
import { type ChangedRow, differenceOf } from './stored/difference.ts'
import { columnsOf, type HeldRow, type TargetName, type TargetRow, targets } from './stored/write.queries.ts'
import { type PeopleAtom, peopleAtoms, sizeOf } from './writing/people-atoms.ts'
import { type Acting, RowWriter } from './writing/row-writer.ts'

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
  /** People who stay, because no one could administer the organisation without them. */
  administrators?: ReadonlySet<string>
  /** The upload that marks the plans that it makes and ends. */
  uploadUid?: string | undefined
  /** Who changes sign-ins. Within an act of the caller no one need be named. */
  acting?: Acting | undefined
  /** Changes by file. */
  onDone: OnDone
}

export interface ImportPlan {
  /** Planned changes. */
  files: FileChanges[]
  parts: Part[]
  putOff: PutOff
}

/**
 * Plans the differences between files and database in writing order: places, roles, lists, people, groups, PEEPs, assignments and
 * documents that are added or changed, then everything that ends. So no one leaves before their successor exists.
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
  planner.table('checklist.csv', 'checklistItem', tables.checklist)
  planner.table('templates.csv', 'template', tables.templates)
  planner.people()
  planner.table('groups.csv', 'group', tables.groups)
  planner.members()
  planner.peeps()
  planner.assignments()
  planner.documents()
  return { files: planner.files, ...planner.rest() }
}

class Planner {
  readonly files: FileChanges[] = []
  readonly #parts: Part[] = []
  readonly #input: PlanInput
  readonly #words: Wording
  readonly #spared: Touching
  readonly #writer: RowWriter
  readonly #overPeeps: string[] = []

  constructor(input: PlanInput) {
    this.#input = input
    const { by, uploadUid, acting, tables } = input
    this.#writer = new RowWriter({ clientUid: tables.known.client.uid, by, uploadUid, acting })
    this.#words = new Wording(input.tables)
    const { missingPeople, people, roles, assignments } = input.tables
    const touching = {
      missingPeople,
      people: people?.rows ?? [],
      roles: roles?.rows ?? [],
      assignments: { rows: assignments?.rows ?? [], missing: (assignments?.missing ?? []).map(({ uid }) => uid) },
    }
    this.#spared = spare(touching, input.managers, input.onDuty, {
      notes: input.notes,
      held: input.tables.held,
      administrators: input.administrators,
    })
  }

  client() {
    const { kind, added, changed, write } = planClient(this.#input.tables, this.#writer)
    this.#tell('organisation.csv', 1, added, changed)
    if (kind) this.#add('organisation.csv', kind, [undefined], write)
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
    this.#add(file, 'updated', [...scopes.values()], (tx, changes) => this.#writer.update(tx, name, changes.flat()), {
      size: (changes) => changes.length,
      rows: (changes) => changes.length,
      ...(touching && { touching: (changes) => touching(changes.flat().map(({ row }) => row)) }),
    })
    this.#add(file, 'created', difference.added, (tx, added) => this.#writer.insert(tx, name, added))
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
    const write = async (tx: Tx, some: readonly PeopleAtom[]) => this.#writer.people(tx, some)
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
    this.#parts.push(part(atoms, { size: sizeOf, touching, write, done }))
  }

  /** Members are added alone: who leaves a group leaves it in the console. */
  members() {
    const { members } = this.#input.tables
    if (!members) return
    this.#tell('group_members.csv', members.rows, listing(members.added, this.#words.member), noListing)
    const write = (tx: Tx, rows: readonly NewMember[]) => this.#writer.members(tx, rows)
    this.#add('group_members.csv', 'created', members.added, write, { size: () => 2 })
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
    const write = (tx: Tx, rows: readonly PlannedAssignment[]) => this.#writer.assignments(tx, { rows, missing: [] })
    const touching = (rows: readonly PlannedAssignment[]) => ({ assignments: { rows, missing: [] } })
    this.#add('assignments.csv', 'created', added, write, { size: rowsOf })
    const standing = changed.filter(({ endsBy }) => endsBy === undefined)
    this.#add('assignments.csv', 'updated', standing, write, { size: rowsOf, touching })
    // later the file overrules an answer only if its cell has changed
    const noted = this.#spared.assignments.rows.filter(agrees)
    this.#add('assignments.csv', 'updated', noted, write, { size: rowsOf, rows: () => 0 })
  }

  documents() {
    const { tables, storageKeys } = this.#input
    const rows = tables.documents?.rows.map((row) => ({
      ...row,
      storageKey: storageKeys.get(row.code) ?? row.storageKey,
    }))
    this.table('documents.csv', 'document', rows && { rows, columns: tables.documents?.columns ?? new Set() })
  }

  /** After everything else: what ends, and the ends that wait. */
  rest(): Pick<ImportPlan, 'parts' | 'putOff'> {
    const ends = planEnds(this.#writer, this.#spared, this.#overPeeps, this.#input.onDone)
    return { parts: [...this.#parts, ...ends], putOff: putOffOf(this.#input.tables, this.#spared) }
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

  #tell(file: string, rows: number, added: Listing, changed: Listing, ended: Listing = noListing) {
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
    this.#parts.push(part(atoms, { ...work, write, done }))
  }
}

/** Rows that may exchange a unique name change together, so that an interrupted run leaves none without one. */
function scopeOf<N extends TargetName>(name: N, { row, held }: ChangedRow<N>): unknown {
  if (name === 'floor') return (held as HeldRow<'floor'>).buildingUid
  return 'uniqueName' in targets[name] ? name : row
}
