import { eachStatus, safetyLabel, safetyValue } from '#kernel/vocabulary.ts'
import type { StatusRecorder } from './safety-records.ts'
import type { StatusWords } from './status-words.ts'

export const evacueeWords: StatusWords = {
  shown: safetyLabel,
  offered: eachStatus((status) => safetyLabel(status, false)),
  sent: eachStatus((status) => safetyValue(status, false)),
}

export const recordEvacuee: StatusRecorder = ({ id, name }, status) => ({
  kind: 'evacueeStatus',
  body: { evacueeId: id, status },
  wish: null,
  about: { id, name },
})
