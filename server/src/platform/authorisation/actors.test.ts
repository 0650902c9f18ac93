import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test as base } from '../../testing/server-test.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { ask, bearer, inputsOf, signedInCalls } from './ask.fixture.ts'
import { type CallInputs, fill } from './call-inputs.fixture.ts'
import { givenTwoOnDuty } from './two-on-duty.fixture.ts'

type Two = Awaited<ReturnType<typeof givenTwoOnDuty>>

/** Names under which a request might slip in somebody else, and the colleague's uid of that name. */
const slips = {
  sender_warden_sign_in_uid: ({ colleagueSignInUid }: Two) => colleagueSignInUid,
  Warden_Sign_In_UID: ({ colleagueSignInUid }: Two) => colleagueSignInUid,
  Warden_Assignment_UID: ({ colleague }: Two) => colleague.assignmentUid,
  person_uid: ({ colleague }: Two) => colleague.personUid,
  peer_email: ({ colleague }: Two) => colleague.email,
}
const cases = Object.keys(slips).flatMap((slip) =>
  (['body', 'query'] as const).map((place) => ({ slip: slip as keyof typeof slips, place })),
)

/** Two on duty for each call, made when the call's first case asks for them. */
const test = base.extend('twoFor', { scope: 'file' }, async ({ server }) => {
  const made = new Map<string, Promise<Two>>()
  return (name: string) => {
    const two = made.get(name) ?? givenTwoOnDuty(server)
    made.set(name, two)
    return two
  }
})

describe.for(signedInCalls)('AUTH-07 T4 $name: whom a request names is not who did it', (call) => {
  test.for(cases)('$slip in the $place', async ({ slip, place }, { server, twoFor }) => {
    const two = await twoFor(call.name)
    const { token } = await server.as(two.asker)
    const inputs: CallInputs = fill(inputsOf(call), two.own)
    const slipped = { ...inputs, [place]: { ...(inputs[place] as object), [slip]: slips[slip](two) } }

    const { code } = await ask(server, call, slipped, bearer(token))

    // refused for what it names, or answered as if it named nobody
    expect(code).toMatch(/^(200|403 forbidden|403 unauthorized_access|404 not_found|409 \w+|422 invalid_request)$/)
    expect(await recordedByOthers(server, two)).toEqual([])
  })
})

/** What was recorded since the two were on duty in the name of anybody but the asker. */
async function recordedByOthers({ db }: TestServer, { org, asker, own, since }: Two) {
  const { rows } = await sql<{ action: string }>`
    select action from journal
    where client_uid = ${org.clientUid} and position > ${since}
      and (actor_person_uid is distinct from ${asker.personUid} or actor_sign_in_uid <> ${own.ownSignIn})
    union all
    select 'sign_in_log' from sign_in_log where client_uid = ${org.clientUid} and person_uid <> ${asker.personUid}`.execute(
    db,
  )
  return rows.map(({ action }) => action)
}
