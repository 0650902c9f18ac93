import { sweptJobs, type Telling } from '#features/authority/server/told.service.ts'
import type { BringIn } from '#features/directory/server/tables/bring-in.service.ts'
import type { Services } from '#server/http/services.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type UploadRecord, updateUpload } from './uploads.queries.ts'

export interface Working extends Pick<Services, 'documents' | 'announce'> {
  /** Sees all clients (evac_system). */
  system: Db
  onTrouble: (error: unknown) => void
  /** On abort, stops between two steps. The next worker goes on. */
  stopping: AbortSignal
  now?: () => Date
  /** Which ways there are to tell people what was done to their sign-in. */
  sends: { mails: boolean; texts: boolean }
}

/** What is queued the next sweep finds: this may be a thread, which wakes no one. */
export const tellingOf = ({ sends, now }: Pick<Working, 'sends' | 'now'>): Telling => ({
  sends,
  jobs: sweptJobs,
  now: now?.() ?? new Date(),
})

/** The worker is told to stop. */
export class Stopped extends Error {
  override name = 'Stopped'
}

/** Milliseconds between two notes of the progress. */
const noteEveryMs = 300

/** Notes the progress beside the work. */
export function noting({ system, stopping, onTrouble }: Working, upload: UploadRecord) {
  let notedAt = 0
  let pending: Promise<unknown> = Promise.resolve()
  const note: BringIn['onProgress'] = ({ stage, done, total }) => {
    if (stopping.aborted) throw new Stopped()
    if (performance.now() - notedAt < noteEveryMs) return
    notedAt = performance.now()
    pending = pending.then(() => updateUpload(system, upload, { stage, done, total })).catch(onTrouble)
  }
  return { note, settled: () => pending }
}
