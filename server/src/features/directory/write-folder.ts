import type { Tx } from '../../platform/db.ts'
import { endSessions } from '../sign-in/session.service.ts'
import {
  type AccountUpdate,
  type AccountValues,
  insertAccounts,
  linkAccounts,
  releaseIdentifiers,
  updateAccounts,
} from './accounts/account.queries.ts'
import { writeAssignments } from './assignments/write-assignments.ts'
import type { Problems } from './files/problems.ts'
import type { FileRows } from './files/reading.ts'
import { endPeeps, endPeople, unlinkAccounts, writeClient } from './import.queries.ts'
import type { FileChanges } from './import-report.ts'
import type { Folder } from './read-folder.ts'
import { type Spared, spareOnDuty } from './spare-on-duty.ts'
import {
  inBatches,
  stepAside,
  type TargetColumn,
  type TargetName,
  type TargetRow,
  targets,
  writeRows,
} from './write.queries.ts'

export interface WriteInput {
  folder: Folder
  accounts: AccountChanges
  /** Of stored files, by document code. */
  storageKeys: ReadonlyMap<string, string>
  /** Takes what is left as it is. */
  notes: Problems
  onRows: (count: number) => void
}

export interface AccountChanges {
  created: AccountValues[]
  updated: AccountUpdate[]
  unchanged: number
  /** Accounts whose sign-in names pass to others. */
  released: readonly string[]
  /** By person. */
  accountOf: ReadonlyMap<string, string>
}

/** Writes everything a folder says, in the order the references need, inside one transaction. Answers what changed. */
export async function writeFolder(tx: Tx, input: WriteInput): Promise<FileChanges[]> {
  const { folder } = input
  const writer = new FolderWriter(tx, input, await spareOnDuty(tx, folder, input.notes))
  const { row, columns } = folder.organisation
  const client = { ...row, uid: folder.known.client.uid }
  writer.report('organisation.csv', 1, await writeClient(tx, client, columns))
  await writer.rows('sites.csv', 'site', folder.sites)
  await writer.rows('buildings.csv', 'building', folder.buildings)
  await writer.rows('floors.csv', 'floor', folder.floors, { kind: 'kind' })
  await writer.rows('roles.csv', 'role', writer.spared.roles)
  await writer.rows('event_types.csv', 'eventType', folder.eventTypes, {
    description: 'description',
    message: 'message',
  })
  await writer.rows('floor_statuses.csv', 'floorStatus', folder.floorStatuses, { inUse: 'in_use' })
  await writer.rows('templates.csv', 'template', folder.templates, { automatedResponse: 'automated_response' })
  await writer.accounts()
  await writer.people()
  await writer.peeps()
  await writer.assignments()
  await writer.documents()
  return writer.changes
}

class FolderWriter {
  readonly changes: FileChanges[] = []
  readonly #tx: Tx
  readonly #input: WriteInput
  readonly spared: Spared
  readonly #clientUid: string

  constructor(tx: Tx, input: WriteInput, spared: Spared) {
    this.#tx = tx
    this.#input = input
    this.spared = spared
    this.#clientUid = input.folder.known.client.uid
  }

  report(file: string, total: number, { created = 0, updated = 0, ended = 0 }) {
    this.changes.push({ file, created, updated, unchanged: Math.max(0, total - created - updated), ended })
  }

  /** `optional`: the header column each table column comes from, where the header may leave it out. */
  async rows<N extends TargetName>(
    file: string,
    name: N,
    part: FileRows<TargetRow<N>> | undefined,
    optional: Partial<Record<TargetColumn<N>, string>> = {},
    ended = 0,
  ) {
    if (!part) return
    const columns = (Object.keys(targets[name].columns) as TargetColumn<N>[]).filter((column) => {
      const from = optional[column]
      return from === undefined || part.columns.has(from)
    })
    await stepAside(this.#tx, this.#clientUid, name, part.rows)
    const written = await writeRows(this.#tx, this.#clientUid, name, part.rows, columns, this.#input.onRows)
    this.report(file, part.rows.length, { ...written, ended })
  }

  async accounts() {
    const { created, updated, unchanged, released } = this.#input.accounts
    if (released.length > 0) await releaseIdentifiers(this.#tx, this.#clientUid, released)
    for (const batch of inBatches(updated))
      await endSessions(this.#tx, await updateAccounts(this.#tx, this.#clientUid, batch))
    for (const batch of inBatches(created)) await insertAccounts(this.#tx, this.#clientUid, batch)
    const total = created.length + updated.length + unchanged
    if (total > 0) this.report('accounts', total, { created: created.length, updated: updated.length })
  }

  async people() {
    const { folder, accounts } = this.#input
    const { missingPeople, people } = this.spared
    const inFile = new Set(folder.people?.rows.map(({ uid }) => uid))
    const leaving = (people?.rows ?? []).filter(({ kind, heldAccountUid }) => kind === 'visitor' && heldAccountUid)
    if (leaving.length > 0)
      await unlinkAccounts(
        this.#tx,
        this.#clientUid,
        leaving.map(({ uid }) => uid),
      )
    const ended = missingPeople.length > 0 ? await endPeople(this.#tx, this.#clientUid, missingPeople) : 0
    const rows = people?.rows.map((row) => ({ ...row, accountUid: accounts.accountOf.get(row.uid) ?? null }))
    await this.rows(
      'people.csv',
      'person',
      rows && { rows, columns: people?.columns ?? new Set() },
      {
        email: 'email',
        mobile: 'mobile',
        primaryFloorUid: 'floor',
        visitingBuildingUid: 'floor',
        isClientMaster: 'is_client_master',
      },
      ended,
    )
    const links = [...accounts.accountOf].filter(([uid]) => !inFile.has(uid))
    if (links.length > 0)
      await linkAccounts(
        this.#tx,
        this.#clientUid,
        links.map(([uid, accountUid]) => ({ uid, accountUid })),
      )
  }

  async peeps() {
    const { peeps } = this.#input.folder
    if (!peeps) return
    const over = peeps.rows.filter(({ active }) => !active).map(({ personUid }) => personUid)
    const ended = over.length > 0 ? await endPeeps(this.#tx, this.#clientUid, over) : 0
    const going = { rows: peeps.rows.filter(({ active }) => active), columns: peeps.columns }
    const texts = { disability: 'disability', assistance: 'assistance', other: 'other', summary: 'summary' }
    await this.rows('peeps.csv', 'peep', going, texts, ended)
  }

  async assignments() {
    if (!this.#input.folder.assignments) return
    const { assignments } = this.spared
    const { rows } = assignments
    this.report('assignments.csv', rows.length, await writeAssignments(this.#tx, this.#clientUid, assignments))
    this.#input.onRows(rows.length)
  }

  async documents() {
    const { folder, storageKeys } = this.#input
    const rows = folder.documents?.rows.map((row) => ({ ...row, storageKey: storageKeys.get(row.code) ?? null }))
    await this.rows('documents.csv', 'document', rows && { rows, columns: folder.documents?.columns ?? new Set() }, {
      siteUid: 'site',
      roleUid: 'role',
      personUid: 'person',
    })
  }
}
