import { endEvent } from '#features/events/calls/events.ts'
import { recordBeside } from '#features/log/server/people/record-beside.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { GivenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { endInput } from '#server/testing/event-input.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { deactivatePerson } from '../calls/people.ts'
import { erasePerson } from '../calls/person-data.ts'

let number = 100

/** What names the one who is erased. Each time another one: the tests of a file share a database. */
function newNames() {
  const n = ++number
  const lastName = `O'Quortle${n} (Zed)`
  return {
    firstName: 'Zelda',
    lastName,
    name: `Zelda ${lastName}`,
    email: `Zelda@Quortle${n}.test`,
    mobile: `61491777${n}`,
    second: `61391777${n}`,
    username: `quortle${n}`,
    code: `HR-88${n}`,
    /** What must be found nowhere afterwards. */
    canaries: [`Quortle${n}`, `61491777${n}`, `61391777${n}`, `HR-88${n}`],
  }
}
type Names = ReturnType<typeof newNames>

/** An organisation with a warden who took part in an event that has ended, and is named in every table that keeps texts. */
export async function givenNamed(server: TestServer) {
  const at = await givenConsole(server)
  const { org } = at
  const names = newNames()
  const { name, mobile, username } = names
  const warden = await server.given.warden(org, { mobile, username })
  const { clientUid, personUid, accountUid } = warden
  const run = (text: string, ...values: unknown[]) => server.database.owner.pg.query(text, values)
  await run(
    'update person set first_name = $2, last_name = $3, email = $4, code = $5, second_mobile = $6 where uid = $1',
    ...[personUid, names.firstName, names.lastName, names.email, names.code, names.second],
  )
  await run('update account set email = $2 where uid = $1', accountUid, names.email)
  const occupant = await server.given.occupant(org)
  const { manager, chief, eventUid } = await server.runningEvent(org, { message: `Ask ${name}` })
  await server.onDuty(warden)
  const [own, chiefs] = [await server.signInOf(eventUid, warden), await server.signInOf(eventUid, chief)]
  if (!own || !chiefs) throw new Error('no participation')
  const between = { clientUid, senderSignInUid: chiefs.uid, recipientSignInUid: own.uid }
  await server.given.wardenMessage(eventUid, between)
  await server.given.evacueeMessage(eventUid, occupant, { direction: 'in' })
  await run('update message set text = $2 where client_uid = $1', clientUid, `Where is ${name}?`)
  await run(
    `insert into broadcast (client_uid, event_uid, kind, body, building_uids, sms_allowed)
     values ($1, $2, 'event_message', $3, '{}', false)`,
    ...[clientUid, eventUid, `Ask ${name}`],
  )
  await run('update warden_assignment set declined_note = $2 where uid = $1', chief.assignmentUid, `Ill, says ${name}`)
  await run(`update evacuee set refusal_detail = $2 where person_uid = $1`, occupant, `10:42 ${name}`)
  await run(
    `insert into contradiction_kept (client_uid, event_uid, kind, subject_uid, state, reason, by_sign_in_uid)
     values ($1, $2, 'late_safe', $3, '1.2.1', $4, $5)`,
    ...[clientUid, eventUid, occupant, `${name} knows`, own.uid],
  )
  await run(
    `insert into self_report (client_uid, event_uid, way, status, said_name, said_mobile, words, who, network, form_key, at)
     values ($1, $2, 'poster', 'help', $3, $4, $5, $5, 'n', '1', now())`,
    ...[clientUid, eventUid, name, mobile, `With ${name}`],
  )
  await givenCalled(run, names, { clientUid, eventUid, personUid })
  await run(
    `insert into evacuee (client_uid, event_uid, person_uid, sort_name, home_building_uid, building_uid, status)
     values ($1, $2, $3, $4, $5, $5, 'safe')`,
    ...[clientUid, eventUid, personUid, name, org.buildingUid],
  )
  await manager(endEvent, { ...endInput(org) })
  // looks at the record after the event
  await server.db
    .transaction()
    .execute((tx) =>
      recordBeside(tx, { clientUid, personUid, signInUid: own.uid }, [
        { action: 'record_names_seen', subjectType: 'event', subjectUid: eventUid, eventUid, after: { list: 'late' } },
      ]),
    )
  await givenKept(run, at, { clientUid, personUid, accountUid, names })
  const call = at.call
  const deactivate = () => call(deactivatePerson, { params: { uid: personUid } }, withKey())
  const erase = (uid: PersonUid = personUid, by = call) => by(erasePerson, { params: { uid } }, withKey())
  return { ...at, names, warden, personUid, accountUid, eventUid, occupant, run, deactivate, erase }
}

type Run = (text: string, ...values: unknown[]) => Promise<unknown>

/** A call to the second number, and the call for help of its key. */
async function givenCalled(
  run: Run,
  { name, second }: Names,
  of: Record<'clientUid' | 'eventUid' | 'personUid', string>,
) {
  const { clientUid, eventUid, personUid } = of
  await run(
    `with one as (
       insert into reach (client_uid, event_uid, class, about, person_uid, step, next_at, state)
       values ($1, $2, 'ask', '1', $3, 1, 'infinity', 'answered') returning *
     )
     insert into ring (client_uid, event_uid, reach_uid, way, status, digit, to_mobile, say, valid_until)
     select client_uid, event_uid, uid, 'second_call', 'delivered', '2', $4, $5, now() from one`,
    ...[clientUid, eventUid, personUid, second, `Is ${name} safe?`],
  )
  await run(
    `insert into self_report (client_uid, event_uid, way, status, said_name, said_mobile, words, network, form_key, at)
     values ($1, $2, 'call', 'help', $3, $4, 'Pressed 2 in a call: needs help.', 'text ' || $4, '2', now())`,
    ...[clientUid, eventUid, name, second],
  )
}

/** Rows that mention the person beside those of the event. */
async function givenKept(
  run: Run,
  { admin }: Awaited<ReturnType<typeof givenConsole>>,
  {
    clientUid,
    personUid,
    accountUid,
    names,
  }: Record<'clientUid' | 'personUid' | 'accountUid', string> & { names: Names },
) {
  const { name, email, mobile } = names
  const of = [clientUid, personUid]
  await run(`insert into peep (client_uid, person_uid, summary) values ($1, $2, $3)`, ...of, `${name} walks slowly`)
  await run(
    `insert into sms (client_uid, person_uid, kind, to_mobile, body, status, reason, valid_until)
     values ($1, $2, 'offer', $3, $4, 'failed', $5, now())`,
    ...[...of, mobile, `Dear ${name}`, `+${mobile} is unknown`],
  )
  await run(
    `insert into sms (client_uid, person_uid, kind, to_mobile, body, status, valid_until)
     values ($1, $2, 'offer', '61400000000', $3, 'delivered', now())`,
    ...[clientUid, admin.personUid, `${name} asks`],
  )
  await run(
    `insert into mail (kind, account_uid, to_email, subject, body, valid_until)
     values ('notice', $1, $2, 'Hello', 'You', now()), ('notice', $3, 'other@evac.test', $4, $5, now())`,
    ...[accountUid, email, admin.accountUid, `${name} may see the plans`, `By ${name}, today.`],
  )
  await run(
    `insert into simulated_mail (uid, to_email, subject, body) select uid, to_email, subject, body from mail where concat(to_email, subject) like $1`,
    `%Quortle${mobile.slice(-3)}%`,
  )
  await run(
    `insert into simulated_text (uid, to_mobile, body) select uid, to_mobile, body from sms where to_mobile = $1`,
    mobile,
  )
  await run(
    `update message set shared_with = $2 where client_uid = $1 and direction = 'in'`,
    clientUid,
    `Di Dorn, ${name}`,
  )
  await run(`insert into sms_refusal (mobile) values ($1)`, mobile)
  await run(`insert into inbound_text (gateway, provider_id, from_mobile, body) values ('g', $1, $1, 'hi')`, mobile)
  await run(
    `insert into inbound_piece (gateway, from_mobile, reference, of, nth, provider_id, body)
     values ('g', $1, 1, 2, 1, $1, 'hi')`,
    mobile,
  )
  await run(`insert into recent_attempt (key, at) values ($1, array[now()])`, `mobile-link/${mobile}`)
  await run(`insert into throttle values ($1, now(), 1)`, `day/link/${mobile}/::1`)
  await run(
    `insert into mobile_token (account_uid, phone, token_hash, expires_at) values ($1, $2, decode(md5($2), 'hex'), now())`,
    ...[accountUid, mobile],
  )
  await run(
    `insert into password_reset (uid, account_uid, email, token_hash, expires_at)
     values (gen_random_uuid(), $1, $2, decode(md5($2), 'hex'), now())`,
    ...[accountUid, email],
  )
  await run(
    `insert into sign_in_log (client_uid, account_uid, person_uid, method, peer_email)
     values ($1, $2, $3, 'Email', $4)`,
    ...[clientUid, admin.accountUid, admin.personUid, email],
  )
  await run(
    `insert into idempotency (person_uid, key, fingerprint, reply) values ($1, 'k', 'f', $3), ($2, 'k', 'f', $3)`,
    ...[personUid, admin.personUid, JSON.stringify({ left: [{ name, reason: `"${email}"` }] })],
  )
  await run(
    `insert into document (client_uid, person_uid, code, name, url) values ($1, $2, 'D', $3, 'https://a.test/')`,
    ...[...of, `Certificate of ${name}`],
  )
  await run(
    `insert into waiting_change (client_uid, person_uid, kind, wanted, done_at, outcome)
     values ($1, $2, 'deactivation', $3, now(), 'dropped')`,
    ...[clientUid, admin.personUid, JSON.stringify({ reason: `Asked by ${name}` })],
  )
  await givenUploads(run, admin, names)
}

/** An upload that was applied, and one that is open: both name the person. */
async function givenUploads(
  run: Run,
  { clientUid, personUid, administratorUid }: GivenAdministrator,
  { name, firstName, lastName, code, email }: Names,
) {
  const insert = (state: string) =>
    run(
      `insert into upload (client_uid, by_person_uid, administrator_uid, state, result) values ($1, $2, $3, $4, $5)
       returning uid`,
      ...[clientUid, personUid, administratorUid, state],
      JSON.stringify({ windows: [{ file: 'people.csv', samples: [lastName] }], files: [] }),
    ) as Promise<{ rows: { uid: string }[] }>
  const [applied, open] = [await insert('applied'), await insert('open')]
  await run(
    `insert into upload_change (client_uid, upload_uid, seq, file, kind, line, title, cells)
     values ($1, $2, 1, 'people.csv', 'added', 2, $3, $4)`,
    ...[clientUid, applied.rows[0]?.uid, `${code} ${name}`],
    JSON.stringify([{ column: 'last_name', before: null, after: lastName }]),
  )
  await run(
    `insert into upload_problem (client_uid, upload_uid, seq, file, line, "column", reason, cells)
     values ($1, $2, 1, 'people.csv', 2, 'email', $3, null), ($1, $2, 2, 'people.csv', 3, 'mobile', 'is bad', $4)`,
    ...[clientUid, applied.rows[0]?.uid, `'${email}' is taken`, JSON.stringify([code, firstName, lastName])],
  )
  await run(
    `insert into upload_part (client_uid, upload_uid, file, nth, content, bytes) values ($1, $2, 'people.csv', 1, $3, 9)`,
    ...[clientUid, open.rows[0]?.uid, Buffer.from(`${code},${firstName},${lastName}\n`)],
  )
}
