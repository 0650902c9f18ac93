import type { Occupant } from '@evac/contract/evacuation.ts'
import { floorStatusValue, type SafetyStatus, safetyLabel } from '@evac/contract/vocabulary.ts'
import { useCallback, useEffect, useRef } from 'react'
import { overlay } from '../../lib/outbox-overlay.ts'
import type { StatusRecorder, useStatusRecords } from '../../ui/safety-records.ts'
import type { SheetPerson } from '../../ui/status-sheet.tsx'
import type { StatusWords } from '../../ui/status-words.ts'

export const evacueeWords: StatusWords = {
  shown: safetyLabel,
  offered: { safe: 'Safe', unknown: 'Unknown', danger: 'In Danger' },
  sent: { ...floorStatusValue, safe: 'safe' },
}

/** SAFE-16. */
export const recordEvacuee: StatusRecorder = ({ id, name }, status) => ({
  kind: 'evacueeStatus',
  body: { evacueeId: id, status },
  wish: null,
  about: { id, name },
})

/** SAFE-15: nothing is recorded for somebody who has that status by now, also when the sheet was opened before. */
export function useUnlessAlready(
  shown: readonly Occupant[] | undefined,
  { people, setStatus }: ReturnType<typeof useStatusRecords>,
) {
  const latest = useRef({ shown, people })
  useEffect(() => {
    latest.current = { shown, people }
  })
  return useCallback(
    (person: SheetPerson, status: SafetyStatus) => {
      const { shown = [], people } = latest.current
      const row = shown.find(({ id }) => id === person.id)
      const now = row ? overlay(row, people) : person
      if (now.status !== status) void setStatus(now, status)
    },
    [setStatus],
  )
}
