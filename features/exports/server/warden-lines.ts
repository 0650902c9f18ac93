import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from './export-task.ts'
import { packed } from './packed-lines.ts'
import type { RecordData } from './record-data.ts'

export interface ExportedWarden {
  name: string
  role: string
  reportedIn: unknown
  notAvailable: unknown
  offDuty: unknown
}

/** Wardens as they were when the record was closed, with the first time of each answer, by the journal. */
export async function* readWardens(tx: Tx, task: ExportTask, data: RecordData): AsyncGenerator<ExportedWarden> {
  const wardens = new Map<string, { name: string; role: string }>()
  for await (const { kind, sign_in, name, role } of packed(tx, task, data, 'people'))
    if (kind === 'warden') wardens.set(String(sign_in), { name: String(name), role: String(role) })
  const first = { warden_reported_in: new Map(), warden_not_available: new Map(), warden_off_duty: new Map() }
  for await (const { action, subject, recorded_at } of packed(tx, task, data, 'journal')) {
    const times = first[action as keyof typeof first]
    if (times && !times.has(subject)) times.set(subject, recorded_at)
  }
  for (const [uid, warden] of wardens)
    yield {
      ...warden,
      reportedIn: first.warden_reported_in.get(uid),
      notAvailable: first.warden_not_available.get(uid),
      offDuty: first.warden_off_duty.get(uid),
    }
}
