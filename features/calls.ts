import type * as accounting from '#features/accounting/calls.ts'
import type * as administration from '#features/administrators/calls/administrators.ts'
import type * as setUp from '#features/administrators/calls/set-up.ts'
import type * as arrivalPack from '#features/arrival-pack/calls.ts'
import type * as assignments from '#features/assignments/calls/assignments.ts'
import type * as waiting from '#features/assignments/calls/waiting.ts'
import type * as wardens from '#features/assignments/calls/wardens.ts'
import type * as board from '#features/board/calls/board.ts'
import type * as walls from '#features/board/calls/walls.ts'
import type * as command from '#features/command/calls/command.ts'
import type * as instructions from '#features/command/calls/instructions.ts'
import type * as comingDays from '#features/coverage/calls/coming-days.ts'
import type * as coverage from '#features/coverage/calls/coverage.ts'
import type * as coverageAhead from '#features/coverage/calls/coverage-ahead.ts'
import type * as attendance from '#features/duty/calls/attendance.ts'
import type * as reportIn from '#features/duty/calls/report-in.ts'
import type * as buildingSafety from '#features/evacuation/calls/building-safety.ts'
import type * as evacuation from '#features/evacuation/calls/evacuation.ts'
import type * as floorOverview from '#features/evacuation/calls/floor-overview.ts'
import type * as safety from '#features/evacuation/calls/safety.ts'
import type * as brief from '#features/events/calls/brief.ts'
import type * as eventTexts from '#features/events/calls/event-texts.ts'
import type * as events from '#features/events/calls/events.ts'
import type * as reportInLinks from '#features/events/calls/report-in-links.ts'
import type * as exports from '#features/exports/calls.ts'
import type * as alarms from '#features/live-updates/calls/alarms.ts'
import type * as realtime from '#features/live-updates/calls/realtime.ts'
import type * as log from '#features/log/calls.ts'
import type * as messaging from '#features/messaging/calls/messaging.ts'
import type * as messenger from '#features/messaging/calls/messenger.ts'
import type * as health from '#features/operation/calls.ts'
import type * as audit from '#features/organisation/calls/audit.ts'
import type * as lists from '#features/organisation/calls/lists.ts'
import type * as overview from '#features/organisation/calls/overview.ts'
import type * as settings from '#features/organisation/calls/settings.ts'
import type * as eventPlans from '#features/peeps/calls/plan-access.ts'
import type * as plans from '#features/peeps/calls/plans.ts'
import type * as duplicates from '#features/people/calls/duplicates.ts'
import type * as groups from '#features/people/calls/groups.ts'
import type * as people from '#features/people/calls/people.ts'
import type * as peopleBulk from '#features/people/calls/people-bulk.ts'
import type * as personData from '#features/people/calls/person-data.ts'
import type * as signInActs from '#features/people/calls/sign-in-acts.ts'
import type * as places from '#features/places/calls.ts'
import type * as additions from '#features/records/calls/additions.ts'
import type * as hold from '#features/records/calls/hold.ts'
import type * as late from '#features/records/calls/late.ts'
import type * as observing from '#features/records/calls/observing.ts'
import type * as records from '#features/records/calls/records.ts'
import type * as replay from '#features/records/calls/replay.ts'
import type * as reports from '#features/self-report/calls.ts'
import type * as consoleSignIn from '#features/sign-in/calls/console-sign-in.ts'
import type * as invitations from '#features/sign-in/calls/invitations.ts'
import type * as passwordReset from '#features/sign-in/calls/password-reset.ts'
import type * as signIn from '#features/sign-in/calls/sign-in.ts'
import type * as simulator from '#features/texts/calls/simulator.ts'
import type * as sms from '#features/texts/calls/sms.ts'
import type * as tables from '#features/uploads/calls.ts'
import type { CallContract } from '#kernel/route.ts'

type CallsOf<Module> = Extract<Module[keyof Module], CallContract>
type AnyCall =
  | CallsOf<typeof accounting>
  | CallsOf<typeof alarms>
  | CallsOf<typeof brief>
  | CallsOf<typeof command>
  | CallsOf<typeof instructions>
  | CallsOf<typeof eventPlans>
  | CallsOf<typeof reports>
  | CallsOf<typeof arrivalPack>
  | CallsOf<typeof administration>
  | CallsOf<typeof consoleSignIn>
  | CallsOf<typeof duplicates>
  | CallsOf<typeof groups>
  | CallsOf<typeof invitations>
  | CallsOf<typeof places>
  | CallsOf<typeof overview>
  | CallsOf<typeof people>
  | CallsOf<typeof peopleBulk>
  | CallsOf<typeof personData>
  | CallsOf<typeof audit>
  | CallsOf<typeof lists>
  | CallsOf<typeof plans>
  | CallsOf<typeof settings>
  | CallsOf<typeof setUp>
  | CallsOf<typeof signInActs>
  | CallsOf<typeof tables>
  | CallsOf<typeof waiting>
  | CallsOf<typeof wardens>
  | CallsOf<typeof assignments>
  | CallsOf<typeof attendance>
  | CallsOf<typeof board>
  | CallsOf<typeof walls>
  | CallsOf<typeof buildingSafety>
  | CallsOf<typeof coverageAhead>
  | CallsOf<typeof comingDays>
  | CallsOf<typeof coverage>
  | CallsOf<typeof evacuation>
  | CallsOf<typeof eventTexts>
  | CallsOf<typeof events>
  | CallsOf<typeof exports>
  | CallsOf<typeof floorOverview>
  | CallsOf<typeof health>
  | CallsOf<typeof hold>
  | CallsOf<typeof log>
  | CallsOf<typeof messaging>
  | CallsOf<typeof messenger>
  | CallsOf<typeof passwordReset>
  | CallsOf<typeof realtime>
  | CallsOf<typeof reportInLinks>
  | CallsOf<typeof additions>
  | CallsOf<typeof late>
  | CallsOf<typeof observing>
  | CallsOf<typeof records>
  | CallsOf<typeof replay>
  | CallsOf<typeof reportIn>
  | CallsOf<typeof safety>
  | CallsOf<typeof signIn>
  | CallsOf<typeof simulator>
  | CallsOf<typeof sms>

/** All calls by name, such as 'GET /api/user'. A type only, so that a caller loads no schema. */
export type Calls = { [C in AnyCall as `${C['method']} ${C['path']}`]: C }
export type CallName = keyof Calls
