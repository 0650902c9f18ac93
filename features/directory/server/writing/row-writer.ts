import { randomUUID } from 'node:crypto'
import type { ActingAs } from '#features/authority/server/decide.ts'
import { inTable } from '#features/authority/server/in-act.service.ts'
import { listOfAccounts } from '#features/authority/server/power.queries.ts'
import type { Telling } from '#features/authority/server/told.service.ts'
import {
  findAccountOf,
  insertAccounts,
  linkAccounts,
  listAccountNames,
  releaseIdentifiers,
  updateAccounts,
} from '#features/authority/server/writes/accounts.queries.ts'
import { voidMisdirected } from '#features/authority/server/writes/invitations.queries.ts'
import { endPeople, setActive } from '#features/authority/server/writes/people.queries.ts'
import { leaveRunningEvents } from '#features/events/server/event-wardens.service.ts'
import { revokeConsoleSessions } from '#features/sign-in/server/console/console-session.queries.ts'
import type { LeftAddresses } from '#features/sign-in/server/session.queries.ts'
import { endSessions, endSessionsOfLeft } from '#features/sign-in/server/session.service.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, type JournalEntry, record, unattended } from '#server/platform/db/journal.ts'
import { type AssignmentChanges, writeAssignments } from '../assignments/write-assignments.ts'
import type { ChangedRow } from '../stored/difference.ts'
import {
  columnsOf,
  insertRows,
  stepAside,
  type TargetName,
  type TargetRow,
  updateRows,
} from '../stored/write.queries.ts'
import { entriesOfEvents, entriesOfPeople, keepNamesOf, Trail } from './change-journal.ts'
import type { PeopleAtom } from './people-atoms.ts'
import { type Acts, actsOf } from './row-acts.ts'
import { type ClientValues, endPeeps, insertMembers, markPlans, updateClient } from './writing.queries.ts'

/** Who changes sign-ins, and how people are told. */
export interface Acting {
  as: ActingAs
  telling: Telling
}

export interface WriterOptions {
  clientUid: ClientUid
  /** Who is told in the journal. An import without one is told by its report alone. */
  by: JournalActor | undefined
  /** The upload that marks the plans that it makes and ends. */
  uploadUid: string | undefined
  /** Who acts on people and their sign-ins. Within an act of the caller no one need be named. */
  acting: Acting | undefined
}

/** Writes planned rows, and who changed them into the journal. */
export class RowWriter {
  readonly #clientUid: ClientUid
  readonly #uploadUid: string | undefined
  readonly #trail: Trail
  readonly #acting: Acting | undefined

  constructor({ clientUid, by, uploadUid, acting }: WriterOptions) {
    this.#acting = acting
    this.#clientUid = clientUid
    this.#uploadUid = uploadUid
    this.#trail = new Trail(by)
  }

  /** `fields`: in the words of the import format. */
  async organisation(tx: Tx, values: Partial<ClientValues>, fields: readonly string[]) {
    await updateClient(tx, this.#clientUid, values)
    await this.#tell(tx, this.#trail.settings(this.#clientUid, fields))
  }

  async insert<N extends TargetName>(tx: Tx, name: N, rows: readonly TargetRow<N>[]) {
    const columns = columnsOf(name).filter((column) => name !== 'person' || !standing.has(column))
    await insertRows(tx, this.#clientUid, name, columns, rows)
    if (name === 'person') await this.#setStanding(tx, rows as unknown as readonly TargetRow<'person'>[])
    if (name === 'peep') await this.#markPlans(tx, rows)
    const isShown = name === 'floorStatus' || name === 'peep'
    const added = isShown ? rows.map((row) => ({ row, columns: columnsOf(name) })) : []
    await this.#tell(tx, [
      ...this.#trail.added(name, rows),
      ...(await entriesOfEvents(tx, this.#clientUid, name, added)),
    ])
    await keepNamesOf(tx, this.#clientUid, name, rows)
  }

  async update<N extends TargetName>(tx: Tx, name: N, changes: readonly ChangedRow<N>[]) {
    if (name === 'peep') return this.#replacePlans(tx, changes as unknown as readonly ChangedRow<'peep'>[])
    await stepAside(
      tx,
      this.#clientUid,
      name,
      changes.map(({ row }) => row),
    )
    // one statement for all rows with the same changed columns
    for (const same of Map.groupBy(changes, ({ columns }) => columns.join()).values()) {
      const rows = same.map(({ row }) => row)
      const columns = same[0]?.columns ?? []
      const plain = columns.filter((column) => name !== 'person' || !standing.has(column))
      const people = name === 'person' ? (rows as unknown as readonly TargetRow<'person'>[]) : []
      const isChanged = (column: string) => columns.some((one) => one === column)
      const links = isChanged('accountUid') ? people.map(linkOf) : []
      // a visitor has no account
      await this.#link(
        tx,
        links.filter(({ accountUid }) => accountUid === null),
      )
      if (plain.length > 0) await updateRows(tx, this.#clientUid, name, plain, rows)
      await this.#link(
        tx,
        links.filter(({ accountUid }) => accountUid !== null),
      )
      if (isChanged('active') && people.length > 0) await setActive(tx, this.#clientUid, people.map(activeOf))
    }
    await this.#tellChanged(tx, name, changes)
  }

  /** Of new people: the account that they sign in with, and whether they are in use. */
  async #setStanding(tx: Tx, rows: readonly TargetRow<'person'>[]) {
    await this.#link(
      tx,
      rows.map(linkOf).filter(({ accountUid }) => accountUid !== null),
    )
    const inactive = rows.map(activeOf).filter(({ active }) => !active)
    if (inactive.length > 0) await setActive(tx, this.#clientUid, inactive)
  }

  async #link(tx: Tx, links: readonly ReturnType<typeof linkOf>[]) {
    if (links.length > 0) await linkAccounts(tx, this.#clientUid, links)
  }

  async people(tx: Tx, atoms: readonly PeopleAtom[]) {
    const released = atoms.flatMap((atom) => atom.released)
    const updated = atoms.flatMap((atom) => atom.updated)
    const created = atoms.flatMap((atom) => atom.created)
    const changed = atoms.flatMap((atom) => atom.changed)
    const added = atoms.flatMap((atom) => atom.added)
    const links = atoms.flatMap((atom) => atom.links)
    const holders = await listOfAccounts(tx, this.#clientUid, [...released, ...updated.map(({ uid }) => uid)])
    const { acts, opened } = actsOf(changed, holders)
    const also = [...opened, ...links.map(({ uid }) => uid as PersonUid)]
    await this.#inTable(tx, { acts, also }, async () => {
      const names = await listAccountNames(tx, this.#clientUid, updated)
      if (updated.length > 0) await voidMisdirected(tx, this.#clientUid, updated)
      if (released.length > 0) await releaseIdentifiers(tx, this.#clientUid, released)
      if (updated.length > 0) await endSessions(tx, await updateAccounts(tx, this.#clientUid, updated))
      if (created.length > 0) await insertAccounts(tx, this.#clientUid, created)
      await this.update(tx, 'person', changed)
      if (added.length > 0) await this.insert(tx, 'person', added)
      await this.#link(tx, links)
      await endSessionsOfLeft(tx, await this.#leftBySomeoneElse(tx, { updated, changed, names }))
      await this.#tellRenamed(tx, [
        ...created.filter(({ username }) => username !== null),
        ...updated.filter(({ uid, username }) => username !== (names.get(uid)?.username ?? null)),
      ])
    })
  }

  /** Addresses that accounts had before. Of one's own account no session ends. */
  async #leftBySomeoneElse(
    tx: Tx,
    { updated, changed, names }: Pick<PeopleAtom, 'updated' | 'changed'> & { names: Names },
  ) {
    const left = updated.flatMap((now): LeftAddresses[] => {
      const was = names.get(now.uid)
      const isLeft = (name: 'email' | 'mobile' | 'username') =>
        was !== undefined && was[name] !== null && was[name].toLowerCase() !== now[name]?.toLowerCase()
      const of = { mobile: isLeft('mobile'), email: isLeft('email'), username: isLeft('username') }
      return of.mobile || of.email || of.username ? [{ accountUid: now.uid, ...of }] : []
    })
    for (const { held, row, columns } of changed)
      if (columns.includes('accountUid') && held.accountUid && held.accountUid !== row.accountUid)
        left.push({ accountUid: held.accountUid, mobile: true, email: true, username: true })
    const by = this.#trail.actor?.personUid
    if (left.length === 0 || !by) return left
    const own = await findAccountOf(tx, this.#clientUid, by as PersonUid)
    return left.filter(({ accountUid }) => accountUid !== own)
  }

  /** A user name stands in the account, so no column of the person tells of it. */
  async #tellRenamed(tx: Tx, accounts: readonly { uid: string }[]) {
    if (!this.#trail.actor || accounts.length === 0) return
    const uids = accounts.map(({ uid }) => uid)
    await this.#tell(tx, this.#trail.renamed(await listOfAccounts(tx, this.#clientUid, uids)))
  }

  #inTable<T>(tx: Tx, { acts, also }: { acts: readonly Acts[]; also: readonly PersonUid[] }, work: () => Promise<T>) {
    if (!this.#acting) return work()
    const { as, telling } = this.#acting
    return inTable(telling, tx, as, acts, also, work)
  }

  async members(tx: Tx, rows: readonly { groupUid: string; personUid: string }[]) {
    await insertMembers(tx, this.#clientUid, rows)
    await this.#tell(tx, this.#trail.members(rows))
  }

  assignments(tx: Tx, changes: AssignmentChanges) {
    return writeAssignments(tx, this.#actor, changes)
  }

  async endPlans(tx: Tx, personUids: readonly string[]) {
    await endPeeps(tx, this.#clientUid, personUids, this.#uploadUid)
    await this.#tellEnded(tx, 'plan_changed', personUids)
  }

  async endPeople(tx: Tx, personUids: readonly string[]) {
    const people = personUids as readonly PersonUid[]
    await this.#inTable(tx, { acts: [{ act: 'deactivate' as const, people }], also: [] }, async () => {
      await leaveRunningEvents(tx, this.#actor, { assignmentUids: [], personUids: [...personUids] })
      const accounts = await endPeople(tx, this.#clientUid, personUids)
      await endSessions(tx, accounts)
      await revokeConsoleSessions(tx, accounts)
    })
    await this.#tellEnded(tx, 'person_deactivated', personUids)
  }

  async #tellEnded(tx: Tx, action: 'plan_changed' | 'person_deactivated', personUids: readonly string[]) {
    await this.#tell(tx, [
      ...this.#trail.ended(action, personUids),
      ...(await entriesOfPeople(tx, this.#clientUid, action, personUids)),
    ])
  }

  /** A changed plan ends, and another one begins. */
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
      this.#uploadUid,
    )
    await insertRows(tx, this.#clientUid, 'peep', columnsOf('peep'), rows)
    await this.#markPlans(tx, rows)
    await this.#tellChanged(tx, 'peep', changes)
  }

  async #tellChanged<N extends TargetName>(tx: Tx, name: N, changes: readonly ChangedRow<N>[]) {
    await this.#tell(tx, [
      ...this.#trail.changed(name, changes),
      ...(await entriesOfEvents(tx, this.#clientUid, name, changes)),
    ])
    const rows = changes.map(({ row }) => row)
    await keepNamesOf(tx, this.#clientUid, name, rows)
  }

  async #markPlans(tx: Tx, rows: readonly { uid: string }[]) {
    if (this.#uploadUid === undefined) return
    const uids = rows.map(({ uid }) => uid)
    await markPlans(tx, this.#clientUid, uids, this.#uploadUid)
  }

  get #actor(): JournalActor {
    return this.#trail.actor ?? unattended(this.#clientUid)
  }

  async #tell(tx: Tx, entries: readonly JournalEntry[]) {
    await record(tx, this.#actor, entries)
  }
}

type Names = Awaited<ReturnType<typeof listAccountNames>>

/** Columns of a person that the statements of authority write. */
const standing: ReadonlySet<string> = new Set(['accountUid', 'active'])

const linkOf = ({ uid, accountUid }: TargetRow<'person'>) => ({ uid, accountUid })
const activeOf = ({ uid, active }: TargetRow<'person'>) => ({ uid, active })
