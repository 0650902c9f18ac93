import type { CallContract } from '../route.ts'
import type * as alarms from './alarms.ts'
import type * as arrivalPack from './arrival/arrival-pack.ts'
import type * as assignments from './assignments.ts'
import type * as attendance from './attendance.ts'
import type * as board from './board.ts'
import type * as buildingSafety from './building-safety.ts'
import type * as accounting from './command/accounting.ts'
import type * as brief from './command/brief.ts'
import type * as command from './command/command.ts'
import type * as coverage from './command/coverage.ts'
import type * as coverageAhead from './command/coverage-ahead.ts'
import type * as instructions from './command/instructions.ts'
import type * as eventPlans from './command/plans.ts'
import type * as reports from './command/reports.ts'
import type * as administration from './console/administration.ts'
import type * as audit from './console/audit.ts'
import type * as consoleSignIn from './console/console-sign-in.ts'
import type * as duplicates from './console/duplicates.ts'
import type * as groups from './console/groups.ts'
import type * as invitations from './console/invitations.ts'
import type * as lists from './console/lists.ts'
import type * as overview from './console/overview.ts'
import type * as people from './console/people.ts'
import type * as peopleBulk from './console/people-bulk.ts'
import type * as personData from './console/person-data.ts'
import type * as places from './console/places.ts'
import type * as plans from './console/plans.ts'
import type * as setUp from './console/set-up.ts'
import type * as settings from './console/settings.ts'
import type * as signInActs from './console/sign-in-acts.ts'
import type * as tables from './console/tables.ts'
import type * as waiting from './console/waiting.ts'
import type * as wardens from './console/wardens.ts'
import type * as evacuation from './evacuation.ts'
import type * as eventTexts from './event-texts.ts'
import type * as events from './events.ts'
import type * as floorOverview from './floor-overview.ts'
import type * as messaging from './messaging.ts'
import type * as messenger from './messenger.ts'
import type * as passwordReset from './password-reset.ts'
import type * as health from './programs/health.ts'
import type * as sms from './programs/sms.ts'
import type * as realtime from './realtime.ts'
import type * as additions from './records/additions.ts'
import type * as exports from './records/exports.ts'
import type * as hold from './records/hold.ts'
import type * as late from './records/late.ts'
import type * as log from './records/log.ts'
import type * as observing from './records/observing.ts'
import type * as records from './records/records.ts'
import type * as replay from './records/replay.ts'
import type * as reportIn from './report-in.ts'
import type * as reportInLinks from './report-in-links.ts'
import type * as safety from './safety.ts'
import type * as signIn from './sign-in.ts'
import type * as simulator from './simulator.ts'
import type * as walls from './walls.ts'

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
