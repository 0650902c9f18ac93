import * as alarms from '@evac/contract/calls/alarms.ts'
import * as arrivalPack from '@evac/contract/calls/arrival/arrival-pack.ts'
import * as assignments from '@evac/contract/calls/assignments.ts'
import * as attendance from '@evac/contract/calls/attendance.ts'
import * as board from '@evac/contract/calls/board.ts'
import * as buildingSafety from '@evac/contract/calls/building-safety.ts'
import * as accounting from '@evac/contract/calls/command/accounting.ts'
import * as brief from '@evac/contract/calls/command/brief.ts'
import * as command from '@evac/contract/calls/command/command.ts'
import * as coverage from '@evac/contract/calls/command/coverage.ts'
import * as coverageAhead from '@evac/contract/calls/command/coverage-ahead.ts'
import * as instructions from '@evac/contract/calls/command/instructions.ts'
import * as eventPlans from '@evac/contract/calls/command/plans.ts'
import * as reports from '@evac/contract/calls/command/reports.ts'
import * as administration from '@evac/contract/calls/console/administration.ts'
import * as audit from '@evac/contract/calls/console/audit.ts'
import * as consoleSignIn from '@evac/contract/calls/console/console-sign-in.ts'
import * as duplicates from '@evac/contract/calls/console/duplicates.ts'
import * as groups from '@evac/contract/calls/console/groups.ts'
import * as invitations from '@evac/contract/calls/console/invitations.ts'
import * as lists from '@evac/contract/calls/console/lists.ts'
import * as overview from '@evac/contract/calls/console/overview.ts'
import * as people from '@evac/contract/calls/console/people.ts'
import * as peopleBulk from '@evac/contract/calls/console/people-bulk.ts'
import * as personData from '@evac/contract/calls/console/person-data.ts'
import * as places from '@evac/contract/calls/console/places.ts'
import * as plans from '@evac/contract/calls/console/plans.ts'
import * as setUp from '@evac/contract/calls/console/set-up.ts'
import * as settings from '@evac/contract/calls/console/settings.ts'
import * as signInActs from '@evac/contract/calls/console/sign-in-acts.ts'
import * as tables from '@evac/contract/calls/console/tables.ts'
import * as waiting from '@evac/contract/calls/console/waiting.ts'
import * as wardens from '@evac/contract/calls/console/wardens.ts'
import * as evacuation from '@evac/contract/calls/evacuation.ts'
import * as eventTexts from '@evac/contract/calls/event-texts.ts'
import * as events from '@evac/contract/calls/events.ts'
import * as floorOverview from '@evac/contract/calls/floor-overview.ts'
import * as messaging from '@evac/contract/calls/messaging.ts'
import * as messenger from '@evac/contract/calls/messenger.ts'
import * as passwordReset from '@evac/contract/calls/password-reset.ts'
import * as health from '@evac/contract/calls/programs/health.ts'
import * as sms from '@evac/contract/calls/programs/sms.ts'
import * as realtime from '@evac/contract/calls/realtime.ts'
import * as additions from '@evac/contract/calls/records/additions.ts'
import * as exports from '@evac/contract/calls/records/exports.ts'
import * as hold from '@evac/contract/calls/records/hold.ts'
import * as late from '@evac/contract/calls/records/late.ts'
import * as log from '@evac/contract/calls/records/log.ts'
import * as observing from '@evac/contract/calls/records/observing.ts'
import * as records from '@evac/contract/calls/records/records.ts'
import * as replay from '@evac/contract/calls/records/replay.ts'
import * as reportIn from '@evac/contract/calls/report-in.ts'
import * as reportInLinks from '@evac/contract/calls/report-in-links.ts'
import * as safety from '@evac/contract/calls/safety.ts'
import * as signIn from '@evac/contract/calls/sign-in.ts'
import * as simulator from '@evac/contract/calls/simulator.ts'
import * as walls from '@evac/contract/calls/walls.ts'
import type { CallContract, CallReply, ConsolePolicy } from '@evac/contract/route.ts'
import { expect, expectTypeOf, test } from 'vitest'
import { contractCalls } from '../testing/contract-calls.ts'
import type { serve, serveConsole, serveSelfGuarded, serveSigned } from './http.ts'

const calls = {
  ...accounting,
  ...instructions,
  ...command,
  ...brief,
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
/** What the handler that is given to `Serve` answers. */
type Answer<Serve> = Serve extends (...given: infer Given) => void
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
  | Forgettable<CallReply<C>, Answer<typeof serve<C>>>
  | Forgettable<CallReply<C>, Answer<typeof serveSelfGuarded<C>>>
  | Forgettable<CallReply<C>, Answer<typeof serveSigned<C>>>
  | (C extends CallContract & { policy: ConsolePolicy }
      ? Forgettable<CallReply<C>, Answer<typeof serveConsole<C>>>
      : never)

test('no route compiles whose answer lacks a required field of the reply', async () => {
  const names = (await contractCalls()).map(({ name }) => name)
  expect(names.filter((name) => !(name in calls))).toEqual([])

  expectTypeOf<{ [Name in keyof Calls]: ForgettableIn<Calls[Name]> }[keyof Calls]>().toBeNever()
})
