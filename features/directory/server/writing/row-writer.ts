import { randomUUID } from 'node:crypto'
import { leaveRunningEvents } from '#features/events/server/event-wardens.service.ts'
import { revokeConsoleSessions } from '#features/sign-in/server/console/console-session.queries.ts'
import { voidMisdirected } from '#features/sign-in/server/invitations/invitations.queries.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type JournalActor, type JournalEntry, record, unattended } from '#server/platform/db/journal.ts'
import { insertAccounts, linkAccounts, releaseIdentifiers, updateAccounts } from '../accounts/account.queries.ts'
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
import { entriesOfEvents, entriesOfPeople, Trail } from './change-journal.ts'
import type { PeopleAtom } from './people-atoms.ts'
import { type ClientValues, endPeeps, endPeople, insertMembers, markPlans, updateClient } from './writing.queries.ts'

export interface WriterOptions {
  clientUid: ClientUid
  /** Who is told in the journal. An import without one is told by its report alone. */
  by: JournalActor | undefined
  /** The upload that marks the plans that it makes and ends. */
  uploadUid: string | undefined
}

/** Writes planned rows, and who changed them into the journal. */
export class RowWriter {
  readonly #clientUid: ClientUid
  readonly #uploadUid: string | undefined
  readonly #trail: Trail

  constructor({ clientUid, by, uploadUid }: WriterOptions) {
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
    await insertRows(tx, this.#clientUid, name, columnsOf(name), rows)
    if (name === 'peep') await this.#markPlans(tx, rows)
    const isShown = name === 'floorStatus' || name === 'peep'
    const added = isShown ? rows.map((row) => ({ row, columns: columnsOf(name) })) : []
    await this.#tell(tx, [
      ...this.#trail.added(name, rows),
      ...(await entriesOfEvents(tx, this.#clientUid, name, added)),
    ])
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

  async people(tx: Tx, atoms: readonly PeopleAtom[]) {
    const released = atoms.flatMap((atom) => atom.released)
    const updated = atoms.flatMap((atom) => atom.updated)
    const created = atoms.flatMap((atom) => atom.created)
    const added = atoms.flatMap((atom) => atom.added)
    const links = atoms.flatMap((atom) => atom.links)
    if (updated.length > 0) await voidMisdirected(tx, this.#clientUid, updated)
    if (released.length > 0) await releaseIdentifiers(tx, this.#clientUid, released)
    if (updated.length > 0) await endSessions(tx, await updateAccounts(tx, this.#clientUid, updated))
    if (created.length > 0) await insertAccounts(tx, this.#clientUid, created)
    await this.update(
      tx,
      'person',
      atoms.flatMap((atom) => atom.changed),
    )
    if (added.length > 0) await this.insert(tx, 'person', added)
    if (links.length > 0) await linkAccounts(tx, this.#clientUid, links)
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
    await leaveRunningEvents(tx, this.#actor, { assignmentUids: [], personUids: [...personUids] })
    const accounts = await endPeople(tx, this.#clientUid, personUids)
    await endSessions(tx, accounts)
    await revokeConsoleSessions(tx, accounts)
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
