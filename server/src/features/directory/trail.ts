import type { JournalAction, JournalActor, JournalEntry } from '../../platform/db/journal.ts'
import type { Json } from '../../platform/db/tables.ts'
import { headerOf } from './preview.ts'
import type { ChangedRow } from './stored/difference.ts'
import { type TargetName, type TargetRow, targets } from './stored/write.queries.ts'

type Row = Readonly<Record<string, unknown>>
type Subject = JournalEntry['subjectType']

const subjects: Record<TargetName, { subject: Subject; added: JournalAction; changed: JournalAction }> = {
  site: { subject: 'site', added: 'place_added', changed: 'place_changed' },
  building: { subject: 'building', added: 'place_added', changed: 'place_changed' },
  floor: { subject: 'floor', added: 'place_added', changed: 'place_changed' },
  role: { subject: 'role', added: 'role_changed', changed: 'role_changed' },
  person: { subject: 'person', added: 'person_added', changed: 'person_changed' },
  peep: { subject: 'person', added: 'plan_changed', changed: 'plan_changed' },
  eventType: { subject: 'event_type', added: 'list_changed', changed: 'list_changed' },
  floorStatus: { subject: 'floor_status', added: 'list_changed', changed: 'list_changed' },
  template: { subject: 'message_template', added: 'list_changed', changed: 'list_changed' },
  document: { subject: 'document', added: 'list_changed', changed: 'list_changed' },
}

/** Columns whose values the journal may keep (ORG-40): places, roles, dates, states. Of all others it keeps the name. */
const told = new Set([
  ...['timezone', 'siteUid', 'buildingUid', 'level', 'kind', 'areaDomain', 'modules', 'roleUid', 'inUse', 'colour'],
  ...['primaryFloorUid', 'visitingBuildingUid', 'visitDate', 'isClientMaster', 'displayOrder', 'defaultKind', 'active'],
])

/** The journal entries of changed rows: who changed which fields. Nothing without an actor: an import tells by its report. */
export class Trail {
  readonly actor: JournalActor | undefined
  readonly #eventUid: string | null

  /** `eventUid`: the running event that changed places concern. */
  constructor(actor: JournalActor | undefined, eventUid: string | null = null) {
    this.actor = actor
    this.#eventUid = eventUid
  }

  added<N extends TargetName>(name: N, rows: readonly TargetRow<N>[]): JournalEntry[] {
    return this.#entries(rows, (row) => ({
      ...this.#entry(name, row, subjects[name].added),
      after: valuesOf(row, Object.keys(targets[name].columns)),
    }))
  }

  changed<N extends TargetName>(name: N, changes: readonly ChangedRow<N>[]): JournalEntry[] {
    return this.#entries(changes, ({ row, held, columns }) => {
      const isBack = name === 'person' && columns.some((column) => column === 'active')
      return {
        ...this.#entry(name, row, isBack ? 'person_reactivated' : subjects[name].changed),
        before: valuesOf(held, columns),
        after: valuesOf(row, columns),
      }
    })
  }

  ended(action: 'person_deactivated' | 'plan_changed', personUids: readonly string[]): JournalEntry[] {
    return this.#entries(personUids, (uid) => ({ action, subjectType: 'person', subjectUid: uid }))
  }

  /** A plan is told of its person. */
  #entry(name: TargetName, row: Row, action: JournalAction): JournalEntry {
    const uid = name === 'peep' ? row.personUid : row.uid
    const eventUid = action === 'place_changed' ? this.#eventUid : null
    return { action, subjectType: subjects[name].subject, subjectUid: String(uid), eventUid }
  }

  #entries<T>(rows: readonly T[], make: (row: T) => JournalEntry): JournalEntry[] {
    return this.actor ? rows.map(make) : []
  }
}

function valuesOf(row: Row, columns: readonly string[]): Json {
  const values = columns.filter((column) => told.has(column)).map((column) => [column, row[column] ?? null])
  return {
    fields: columns.map(headerOf),
    ...Object.fromEntries(values),
  } as Json
}
