import { sql } from 'kysely'
import type { Attendance } from '#kernel/vocabulary.ts'

/** Attendance of sign-in `si`: one state at a time. A missing `si` is unknown. */
export const attendance = sql<Attendance>`
  case when si.on_duty then 'on_duty' when si.not_available then 'not_available'
    when si.off_duty_at is not null then 'off_duty' else 'unknown' end`

/** Sign-in `si` has been on duty before, whatever it is now: reporting in again is a rejoin. */
export const wasOnDuty = sql<boolean>`(si.off_duty_at is not null)`
