import { expect, expectTypeOf, test } from 'vitest'
import * as accounting from '#features/accounting/calls.ts'
import * as administration from '#features/administrators/calls/administrators.ts'
import * as setUp from '#features/administrators/calls/set-up.ts'
import * as arrivalPack from '#features/arrival-pack/calls.ts'
import * as assignments from '#features/assignments/calls/assignments.ts'
import * as waiting from '#features/assignments/calls/waiting.ts'
import * as wardens from '#features/assignments/calls/wardens.ts'
import * as board from '#features/board/calls/board.ts'
import * as walls from '#features/board/calls/walls.ts'
import * as command from '#features/command/calls/command.ts'
import * as instructions from '#features/command/calls/instructions.ts'
import * as comingDays from '#features/coverage/calls/coming-days.ts'
import * as coverage from '#features/coverage/calls/coverage.ts'
import * as coverageAhead from '#features/coverage/calls/coverage-ahead.ts'
import * as attendance from '#features/duty/calls/attendance.ts'
import * as reportIn from '#features/duty/calls/report-in.ts'
import * as buildingSafety from '#features/evacuation/calls/building-safety.ts'
import * as evacuation from '#features/evacuation/calls/evacuation.ts'
import * as floorOverview from '#features/evacuation/calls/floor-overview.ts'
import * as safety from '#features/evacuation/calls/safety.ts'
import * as brief from '#features/events/calls/brief.ts'
import * as eventTexts from '#features/events/calls/event-texts.ts'
import * as events from '#features/events/calls/events.ts'
import * as reportInLinks from '#features/events/calls/report-in-links.ts'
import * as exports from '#features/exports/calls.ts'
import * as alarms from '#features/live-updates/calls/alarms.ts'
import * as realtime from '#features/live-updates/calls/realtime.ts'
import * as log from '#features/log/calls.ts'
import * as messaging from '#features/messaging/calls/messaging.ts'
import * as messenger from '#features/messaging/calls/messenger.ts'
import * as health from '#features/operation/calls.ts'
import * as audit from '#features/organisation/calls/audit.ts'
import * as lists from '#features/organisation/calls/lists.ts'
import * as overview from '#features/organisation/calls/overview.ts'
import * as settings from '#features/organisation/calls/settings.ts'
import * as eventPlans from '#features/peeps/calls/plan-access.ts'
import * as plans from '#features/peeps/calls/plans.ts'
import * as duplicates from '#features/people/calls/duplicates.ts'
import * as groups from '#features/people/calls/groups.ts'
import * as people from '#features/people/calls/people.ts'
import * as peopleBulk from '#features/people/calls/people-bulk.ts'
import * as personData from '#features/people/calls/person-data.ts'
import * as signInActs from '#features/people/calls/sign-in-acts.ts'
import * as places from '#features/places/calls.ts'
import * as additions from '#features/records/calls/additions.ts'
import * as hold from '#features/records/calls/hold.ts'
import * as late from '#features/records/calls/late.ts'
import * as observing from '#features/records/calls/observing.ts'
import * as records from '#features/records/calls/records.ts'
import * as replay from '#features/records/calls/replay.ts'
import * as reports from '#features/self-report/calls.ts'
import * as consoleSignIn from '#features/sign-in/calls/console-sign-in.ts'
import * as invitations from '#features/sign-in/calls/invitations.ts'
import * as passwordReset from '#features/sign-in/calls/password-reset.ts'
import * as signIn from '#features/sign-in/calls/sign-in.ts'
import * as simulator from '#features/texts/calls/simulator.ts'
import * as sms from '#features/texts/calls/sms.ts'
import * as tables from '#features/uploads/calls.ts'
import type { CallContract, CallReply } from '#kernel/route.ts'
import { contractCalls } from '../testing/contract-calls.ts'
import type { Handler, ownTransactions, reading } from './routes.ts'
import type { selfGuarded, signed } from './serve.ts'

const calls = {
  ...accounting,
  ...instructions,
  ...command,
  ...brief,
  ...comingDays,
  ...coverage,
  ...coverageAhead,
  ...alarms,
  ...arrivalPack,
  ...administration,
  ...consoleSignIn,
  ...duplicates,
  ...groups,
  ...invitations,
  ...setUp,
  ...audit,
  ...lists,
  ...overview,
  ...people,
  ...peopleBulk,
  ...places,
  ...plans,
  ...personData,
  ...settings,
  ...signInActs,
  ...tables,
  ...waiting,
  ...wardens,
  ...assignments,
  ...attendance,
  ...board,
  ...walls,
  ...eventPlans,
  ...reports,
  ...buildingSafety,
  ...evacuation,
  ...eventTexts,
  ...events,
  ...floorOverview,
  ...health,
  ...messaging,
  ...messenger,
  ...passwordReset,
  ...realtime,
  ...additions,
  ...exports,
  ...late,
  ...observing,
  ...log,
  ...records,
  ...replay,
  ...hold,
  ...reportIn,
  ...reportInLinks,
  ...safety,
  ...signIn,
  ...simulator,
  ...sms,
}

type Calls = {
  [Name in keyof typeof calls as (typeof calls)[Name] extends CallContract ? Name : never]: (typeof calls)[Name]
}
/** What the handler that is given to `Wrapper` answers. */
type Answer<Wrapper> = Wrapper extends (...given: infer Given) => unknown
  ? Given extends [...unknown[], (...given: never[]) => Promise<infer Answered>]
    ? Answered
    : never
  : never

/** The required fields that an answer may lack; 'all' when it may not be the reply itself. */
type Forgettable<Reply, Answer> = [Reply] extends [Answer] ? FieldsToForget<Reply, Answer> : 'all'
type FieldsToForget<Reply, Answer> = Reply extends readonly (infer Item)[]
  ? Answer extends readonly (infer ItemAnswer)[]
    ? Forgettable<Item, ItemAnswer>
    : 'all'
  : Reply extends object
    ? {
        [Field in keyof Reply]-?: object extends Pick<Reply, Field>
          ? never
          : Omit<Reply, Field> extends Answer
            ? Field
            : never
      }[keyof Reply]
    : never

type ForgettableIn<C extends CallContract> =
  | Forgettable<CallReply<C>, Awaited<ReturnType<Handler<C>>>>
  | Forgettable<CallReply<C>, Answer<typeof reading<C>>>
  | Forgettable<CallReply<C>, Answer<typeof ownTransactions<C>>>
  | Forgettable<CallReply<C>, Answer<typeof selfGuarded<C>>>
  | Forgettable<CallReply<C>, Answer<typeof signed<C>>>

test('no route compiles whose answer lacks a required field of the reply', async () => {
  const names = (await contractCalls()).map(({ name }) => name)
  expect(names.filter((name) => !(name in calls))).toEqual([])

  expectTypeOf<{ [Name in keyof Calls]: ForgettableIn<Calls[Name]> }[keyof Calls]>().toBeNever()
})
