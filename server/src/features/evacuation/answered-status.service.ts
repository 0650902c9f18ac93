import type { Tx } from '../../platform/db/db.ts'
import { type AnsweredStatus, type AnswerRecorded, recordAnswer } from './answered-status.queries.ts'

/** MSG-37, AMB-130; undefined when the person has left the event. */
export const recordAnsweredStatus = (tx: Tx, answer: AnsweredStatus): Promise<AnswerRecorded | undefined> =>
  recordAnswer(tx, answer)
