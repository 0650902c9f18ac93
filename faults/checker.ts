import { boardsAreTrue } from './checks/boards.ts'
import { nothingForeign, oneEventPerSite, recoversInTime } from './checks/events.ts'
import { countsAreTrue, journalLeadsHere } from './checks/journal.ts'
import { nothingIsMissed } from './checks/publications.ts'
import { textsArrive } from './checks/texts.ts'
import { uploadIsWhole } from './checks/uploads.ts'
import type { Evidence, Verdict } from './checks/verdict.ts'
import { acknowledgedIsKept, eachKeyOnce, lateIsKept, nothingStaysOpen } from './checks/writes.ts'

const checks = [
  acknowledgedIsKept,
  eachKeyOnce,
  oneEventPerSite,
  textsArrive,
  countsAreTrue,
  nothingForeign,
  journalLeadsHere,
  nothingIsMissed,
  nothingStaysOpen,
  uploadIsWhole,
  lateIsKept,
  boardsAreTrue,
  recoversInTime,
]

/**
 * Compares what clients saw with what the database holds. Without side effects, so that a test can try it on made-up
 * runs.
 */
export const judge = (evidence: Evidence): Verdict[] => checks.map((check) => check(evidence))
