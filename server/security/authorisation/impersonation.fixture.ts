import { sql } from 'kysely'
import type { TestServer } from '../../testing/test-server.ts'
import { ask, bearer, inputsOf, type signedInCalls } from './ask.fixture.ts'
import { fill } from './call-inputs.fixture.ts'
import type { givenOnDuty } from './on-duty.fixture.ts'

type Two = ReturnType<Awaited<ReturnType<typeof givenOnDuty>>>

/** Field names through which a request might name someone else, each with the colleague's uid. */
const names = {
  sender_warden_sign_in_uid: ({ colleagueSignInUid }: Two) => colleagueSignInUid,
  Warden_Sign_In_UID: ({ colleagueSignInUid }: Two) => colleagueSignInUid,
  Warden_Assignment_UID: ({ colleague }: Two) => colleague.assignmentUid,
  person_uid: ({ colleague }: Two) => colleague.personUid,
  peer_email: ({ colleague }: Two) => colleague.email,
}
type SlipName = keyof typeof names
const places = ['body', 'query'] as const
export const slips = (Object.keys(names) as SlipName[]).flatMap((name) =>
  places.map((place) => `${name} in the ${place}` as const),
)

/** Makes the call with someone else named in it. */
export async function askWithSlip(
  server: TestServer,
  call: (typeof signedInCalls)[number],
  two: Two,
  slip: (typeof slips)[number],
) {
  const [name, place] = slip.split(' in the ') as [SlipName, (typeof places)[number]]
  const inputs = fill(inputsOf(call), two.own)
  const slipped = { ...inputs, [place]: { ...(inputs[place] as object), [name]: names[name](two) } }
  return ask(server, call, slipped, bearer((await server.as(two.asker)).token))
}

/** Number of records in anyone's name but the asker's. */
export async function countRecordsOfOthers({ db }: TestServer, { asker, own }: Two): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from journal where client_uid = ${asker.clientUid}
        and (actor_person_uid is distinct from ${asker.personUid} or actor_sign_in_uid <> ${own.ownSignIn}))
      + (select count(*) from sign_in_log where client_uid = ${asker.clientUid} and person_uid <> ${asker.personUid})
      as count`.execute(db)
  return rows[0]?.count as number
}
