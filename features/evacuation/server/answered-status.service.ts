import type { Tx } from '#server/platform/db/db.ts'
import { type AnsweredStatus, type AnswerRecorded, recordAnswer } from './answered-status.queries.ts'

/** Returns undefined if the person has left the event. */
export const recordAnsweredStatus = (tx: Tx, answer: AnsweredStatus): Promise<AnswerRecorded | undefined> =>
  recordAnswer(tx, answer)
