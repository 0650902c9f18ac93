import { floorStatusLabel, floorStatusValue, type SafetyStatus } from '#kernel/vocabulary.ts'

/** What a screen calls the statuses: as they are shown on a card, as the sheet offers them, and as a tap sends them. */
export interface StatusWords {
  shown: (status: SafetyStatus, onFloor: boolean) => string
  offered: Record<SafetyStatus, string>
  sent: Record<SafetyStatus, string>
}

export const floorWords: StatusWords = {
  shown: (status) => floorStatusLabel[status],
  offered: floorStatusLabel,
  sent: floorStatusValue,
}
