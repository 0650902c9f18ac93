import type { JournalAction } from '#features/live-updates/actions.ts'
import { keepChangedNames, type Named } from '#features/log/server/names/names-kept.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JournalActor, JournalEntry } from '#server/platform/db/journal.ts'
import type { Json } from '#server/platform/db/tables.ts'
import type { Columns } from '../../column-kinds.ts'
import { columns } from '../../columns.ts'
import { headerOf } from '../files/directory-files.ts'
import { listEventsOf, listPeopleInEvents } from '../import.queries.ts'
import type { ChangedRow } from '../stored/difference.ts'
import { columnsOf, type TargetName, type TargetRow, targets } from '../stored/write.queries.ts'

type Row = Readonly<Record<string, unknown>>
type Subject = JournalEntry['subjectType']

const subjects: Record<TargetName, { subject: Subject; added: JournalAction; changed: JournalAction }> = {
  site: { subject: 'site', added: 'place_added', changed: 'place_changed' },
  building: { subject: 'building', added: 'place_added', changed: 'place_changed' },
  floor: { subject: 'floor', added: 'place_added', changed: 'place_changed' },
  role: { subject: 'role', added: 'role_changed', changed: 'role_changed' },
  person: { subject: 'person', added: 'person_added', changed: 'person_changed' },
  group: { subject: 'group', added: 'group_changed', changed: 'group_changed' },
  peep: { subject: 'person', added: 'plan_changed', changed: 'plan_changed' },
  eventType: { subject: 'event_type', added: 'list_changed', changed: 'list_changed' },
  floorStatus: { subject: 'floor_status', added: 'list_changed', changed: 'list_changed' },
  checklistItem: { subject: 'checklist_item', added: 'list_changed', changed: 'list_changed' },
  template: { subject: 'message_template', added: 'list_changed', changed: 'list_changed' },
  document: { subject: 'document', added: 'list_changed', changed: 'list_changed' },
}

/** The journal entries of changed rows: who changed which fields. Nothing without an actor: an import tells by its report. */
export class Trail {
  readonly actor: JournalActor | undefined

  constructor(actor: JournalActor | undefined) {
    this.actor = actor
  }

  added<N extends TargetName>(name: N, rows: readonly TargetRow<N>[]): JournalEntry[] {
    return this.#entries(rows, (row) => ({
      ...this.#entry(name, row, subjects[name].added),
      after: valuesOf(name, row, columnsOf(name)),
    }))
  }

  changed<N extends TargetName>(name: N, changes: readonly ChangedRow<N>[]): JournalEntry[] {
    return this.#entries(changes, ({ row, held, columns }) => {
      const isBack = name === 'person' && columns.some((column) => column === 'active')
      return {
        ...this.#entry(name, row, isBack ? 'person_reactivated' : subjects[name].changed),
        before: valuesOf(name, held, columns),
        after: valuesOf(name, row, columns),
      }
    })
  }

  /** People who have another user name. */
  renamed(personUids: readonly string[]): JournalEntry[] {
    const after = { fields: ['username'] }
    return this.#entries(personUids, (uid) => ({ ...this.#entry('person', { uid }, 'person_changed'), after }))
  }

  settings(uid: string, fields: readonly string[]): JournalEntry[] {
    const subjectType = 'organisation' as const
    return this.#entries([uid], (subjectUid) => ({
      action: 'settings_changed',
      subjectType,
      subjectUid,
      after: { fields: [...fields] },
    }))
  }

  members(rows: readonly { groupUid: string; personUid: string }[]): JournalEntry[] {
    return this.#entries(rows, ({ groupUid, personUid }) => ({
      action: 'group_changed',
      subjectType: 'person',
      subjectUid: personUid,
      after: { group_uid: groupUid },
    }))
  }

  ended(action: 'person_deactivated' | 'plan_changed', personUids: readonly string[]): JournalEntry[] {
    return this.#entries(personUids, (uid) => ({ action, subjectType: 'person', subjectUid: uid }))
  }

  /** A plan is told of its person. */
  #entry(name: TargetName, row: Row, action: JournalAction): JournalEntry {
    const uid = name === 'peep' ? row.personUid : row.uid
    return { action, subjectType: subjects[name].subject, subjectUid: String(uid) }
  }

  #entries<T>(rows: readonly T[], make: (row: T) => JournalEntry): JournalEntry[] {
    return this.actor ? rows.map(make) : []
  }
}

/** What phones show of a person. A floor counts from the next event on. */
const shown = new Set<string>(['firstName', 'lastName', 'email', 'mobile'])

/**
 * The entries of running events by which phones read changed rows again, whoever changed them. Of people only what
 * phones show, and who goes out of use or comes back.
 */
export async function entriesOfEvents<N extends TargetName>(
  tx: Tx,
  clientUid: string,
  name: N,
  changes: readonly Pick<ChangedRow<N>, 'row' | 'columns'>[],
): Promise<JournalEntry[]> {
  const uids = (some: typeof changes) => some.map(({ row }) => row.uid)
  const kind: TargetName = name
  if (kind === 'site' || kind === 'building' || kind === 'floor') {
    const events = await listEventsOf(tx, clientUid, { kind, uids: uids(changes) })
    return events.map(({ eventUid, uid }) => ({
      action: 'place_changed',
      subjectType: kind,
      subjectUid: uid,
      eventUid,
    }))
  }
  if (name === 'floorStatus' && changes.length > 0)
    return (await listEventsOf(tx, clientUid)).map(({ eventUid }) => ({
      action: 'list_changed',
      subjectType: 'floor_status',
      subjectUid: String(changes[0]?.row.uid),
      eventUid,
    }))
  if (name === 'peep')
    return entriesOfPeople(
      tx,
      clientUid,
      'plan_changed',
      changes.map(({ row }) => String((row as Row).personUid)),
    )
  if (name !== 'person') return []
  const has = (some: ReadonlySet<string>) => changes.filter(({ columns }) => columns.some((one) => some.has(one)))
  return [
    ...(await entriesOfPeople(tx, clientUid, 'person_changed', uids(has(shown)))),
    ...(await entriesOfPeople(tx, clientUid, 'person_reactivated', uids(has(new Set(['active']))))),
  ]
}

/** Of an occupant the entry is about the person, of a warden about the participation. Who reads a plan reads it of occupants. */
export async function entriesOfPeople(
  tx: Tx,
  clientUid: string,
  action: 'person_changed' | 'person_reactivated' | 'person_deactivated' | 'plan_changed',
  personUids: readonly string[],
): Promise<JournalEntry[]> {
  const places = personUids.length > 0 ? await listPeopleInEvents(tx, clientUid, personUids) : []
  return places
    .filter(({ signInUid }) => signInUid === null || action === 'person_changed')
    .map(({ eventUid, personUid, signInUid }) => ({
      action,
      eventUid,
      ...(signInUid === null
        ? { subjectType: 'person', subjectUid: personUid }
        : { subjectType: 'sign_in', subjectUid: signInUid }),
    }))
}

/** The names of the columns, and the values that the journal may keep. */
function valuesOf(name: TargetName, row: Row, stored: readonly string[]): Json {
  const table: Columns = columns[targets[name].file]
  const values = stored.filter((one) => table[headerOf(one)]?.journal).map((one) => [one, row[one] ?? null])
  return { fields: stored.map(headerOf), ...Object.fromEntries(values) } as Json
}

const named: ReadonlySet<string> = new Set<Named>(['site', 'building', 'floor', 'role', 'eventType', 'floorStatus'])
const isNamed = (name: TargetName): name is TargetName & Named => named.has(name)

/** Records say the words as they were, so running events keep those of each change. */
export async function keepNamesOf(tx: Tx, clientUid: string, name: TargetName, rows: readonly { uid: string }[]) {
  const uids = rows.map(({ uid }) => uid)
  if (isNamed(name)) await keepChangedNames(tx, clientUid, name, uids)
}
