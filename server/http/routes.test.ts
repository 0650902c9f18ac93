import { expect, expectTypeOf, test } from 'vitest'
import { getCommand, takeCommand } from '#features/command/calls/command.ts'
import type { getSafetySummary } from '#features/evacuation/calls/building-safety.ts'
import type { addSite } from '#features/places/calls.ts'
import type { getObserved } from '#features/records/calls/observing.ts'
import type { listRecords } from '#features/records/calls/records.ts'
import type { login } from '#features/sign-in/calls/sign-in.ts'
import type { Administrator } from '../administrators/administrator.ts'
import type { Actor, DutyActor } from '../wardens/actor.ts'
import type { ObserverActor } from '../wardens/observer.ts'
import { type Handling, routes } from './routes.ts'
import type { Reader } from './warden-or-administrator.ts'

test('API-85 a table without a handler for each call, or with one more, does not compile', () => {
  const calls = { getCommand, takeCommand, somethingElse: 1 }
  const unused = (): Promise<never> => Promise.reject(new Error('no one calls'))

  const whole = routes(calls, { getCommand: unused, takeCommand: unused })
  // @ts-expect-error takeCommand has no handler
  routes(calls, { getCommand: unused })
  // @ts-expect-error handOver is not among the calls
  routes(calls, { getCommand: unused, takeCommand: unused, handOver: unused })

  expect(whole).toBeTypeOf('function')
})

test('API-85 a handler gets the caller that the policy of its call lets in', () => {
  expectTypeOf<Handling<typeof takeCommand>['actor']>().toEqualTypeOf<DutyActor>()
  expectTypeOf<Handling<typeof getSafetySummary>['actor']>().toEqualTypeOf<Actor>()
  expectTypeOf<Handling<typeof addSite>['administrator']>().toEqualTypeOf<Administrator>()
  expectTypeOf<Handling<typeof listRecords>['reader']>().toEqualTypeOf<Reader>()
  expectTypeOf<Handling<typeof getObserved>['observer']>().toEqualTypeOf<ObserverActor>()
  expectTypeOf<Handling<typeof login>>().not.toHaveProperty('actor')
})
