import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

type Row = Record<string, unknown>

/** Columns that open something, or say nothing about the person. */
const secret = [
  ...[
    'client_uid',
    'shown_password_hash',
    'merged_password_hash',
    'token_hash',
    'password_hash',
    'imported_password_hash',
    'link_uid',
    'mobile_token_uid',
    'form_key',
    'endpoint',
    'endpoint_hash',
  ],
  ...['owner_client_uid', 'claimed_until', 'attempts', 'further_account_uids', 'invitation_uid', 'password_reset_uid'],
]
const most = 10_000

/** All columns of `t` but those, with what else is named. */
async function read(tx: Tx, from: RawBuilder<unknown>, named: RawBuilder<unknown> = sql`'{}'::jsonb`): Promise<Row[]> {
  const { rows } = await sql<{ data: Row }>`
    select (to_jsonb(t) - ${secret}::text[]) || ${named} as data from ${from} limit ${most}`.execute(tx)
  return rows.map(({ data }) => data)
}

async function findAccount(tx: Tx, accountUid: string | null): Promise<Row | null> {
  const [account] = await read(
    tx,
    sql`account t where t.uid = ${accountUid}`,
    sql`jsonb_build_object('has_password', t.password_hash is not null,
      'second_factor_set_at', (select f.set_at from second_factor f where f.account_uid = t.uid))`,
  )
  return account ?? null
}

/** On phones, then at the console. */
async function listSessions(tx: Tx, of: RawBuilder<unknown>, accountUid: string | null): Promise<Row[]> {
  const onPhones = await read(tx, sql`session t where ${of} order by t.created_at desc`)
  const atConsole = await read(
    tx,
    sql`(select c.uid, c.created_at, c.seen_at, c.expires_at, c.revoked_at from console_session c
      where c.account_uid = ${accountUid}) t order by t.created_at desc`,
    sql`'{"side": "console"}'::jsonb`,
  )
  return [...onPhones, ...atConsole]
}

/** Everything that tables keep about a person, by section of the file, without plans. */
export async function findKept(tx: Tx, clientUid: ClientUid, uid: PersonUid) {
  const [person] = await read(
    tx,
    sql`person t left join floor f on f.client_uid = t.client_uid and f.uid = t.primary_floor_uid
      left join building b on b.client_uid = t.client_uid and b.uid = coalesce(f.building_uid, t.visiting_building_uid)
      where t.client_uid = ${clientUid} and t.uid = ${uid}`,
    sql`jsonb_build_object('building', b.name, 'floor', f.name)`,
  )
  const accountUid = person?.account_uid as string | null
  const of = sql`t.client_uid = ${clientUid} and t.person_uid = ${uid}`
  const ofEvent = sql`join event e on e.client_uid = t.client_uid and e.uid = t.event_uid
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid`
  const event = sql`'site', st.name, 'event_started_at', e.started_at, 'event_ended_at', e.ended_at`
  const signIns = sql`(select s.uid from warden_sign_in s where s.client_uid = ${clientUid} and s.person_uid = ${uid})`
  const ofReaches = sql`t.client_uid = ${clientUid}
    and t.reach_uid in (select k.uid from reach k where k.client_uid = ${clientUid} and k.person_uid = ${uid})`
  const evacuees = sql`(select v.uid from evacuee v where v.client_uid = ${clientUid} and v.person_uid = ${uid})`
  return {
    person: person as Row,
    account: await findAccount(tx, accountUid),
    groups: await read(
      tx,
      sql`people_group_member t join people_group g on g.client_uid = t.client_uid and g.uid = t.group_uid where ${of}`,
      sql`jsonb_build_object('name', g.name, 'code', g.code)`,
    ),
    assignments: await read(
      tx,
      sql`warden_assignment t join warden_role r on r.client_uid = t.client_uid and r.uid = t.role_uid
        join site st on st.client_uid = t.client_uid and st.uid = t.site_uid where ${of} order by t.date_from`,
      sql`jsonb_build_object('role', r.name, 'site', st.name)`,
    ),
    documents: await read(tx, sql`document t where ${of} order by t.created_at`),
    grants: await read(tx, sql`administrator t where ${of} order by t.granted_at`),
    invitations: await read(tx, sql`invitation t where ${of} order by t.created_at`),
    sign_in_changes: await read(tx, sql`sign_in_change t where ${of} order by t.at desc`),
    sign_ins: await read(tx, sql`sign_in_log t where ${of} order by t.at desc`),
    sessions: await listSessions(tx, of, accountUid),
    events: await read(
      tx,
      sql`evacuee t ${ofEvent} where ${of} order by e.started_at`,
      sql`jsonb_build_object(${event})`,
    ),
    participations: await read(
      tx,
      sql`warden_sign_in t ${ofEvent} where ${of} order by e.started_at`,
      sql`jsonb_build_object(${event})`,
    ),
    messages: await read(
      tx,
      sql`message t where t.client_uid = ${clientUid} and (t.evacuee_uid in ${evacuees}
        or t.sender_sign_in_uid in ${signIns} or t.recipient_sign_in_uid in ${signIns}) order by t.seq`,
    ),
    reports: await read(
      tx,
      sql`self_report t where t.client_uid = ${clientUid} and t.evacuee_uid in ${evacuees} order by t.at`,
    ),
    texts: await read(
      tx,
      sql`sms t where t.client_uid = ${clientUid} and (t.person_uid = ${uid} or t.sign_in_uid in ${signIns})
        order by t.created_at`,
    ),
    mails: await read(
      tx,
      sql`mail t where t.account_uid = ${accountUid}
        or t.reach_uid in (select k.uid from reach k where k.client_uid = ${clientUid} and k.person_uid = ${uid}) order by t.created_at`,
    ),
    alert_phones: await read(tx, sql`push_phone t where ${of} order by t.made_at`),
    reaches: await read(
      tx,
      sql`reach t ${ofEvent} where ${of} order by t.began_at`,
      sql`jsonb_build_object(${event}, 'not_tried', (select jsonb_agg(jsonb_build_object('way', g.way, 'reason', g.reason, 'at', g.created_at))
        from ring g where g.client_uid = t.client_uid and g.reach_uid = t.uid and g.status = 'skipped'))`,
    ),
    alerts: await read(
      tx,
      sql`ring t where t.way = 'push' and t.status <> 'skipped' and ${ofReaches} order by t.created_at`,
    ),
    calls: await read(
      tx,
      sql`ring t where t.way <> 'push' and t.status <> 'skipped' and ${ofReaches} order by t.created_at`,
    ),
    waiting: await read(tx, sql`waiting_change t where ${of} order by t.since`),
    history: await read(
      tx,
      sql`(select j.recorded_at, j.action, j.subject_type, j.before, j.after - 'tally' as after, j.event_uid,
          j.actor_person_uid = ${uid} as by_this_person from journal j
        where j.client_uid = ${clientUid} and (j.event_uid is null or j.action in ('event_started', 'event_ended'))
          and (j.subject_uid = ${uid} or j.actor_person_uid = ${uid} or j.subject_uid = ${accountUid}::uuid)
        order by j.position desc limit ${most}) t`,
    ),
  }
}

/** Plans of the person, former ones too. */
export const listPlans = (tx: Tx, clientUid: ClientUid, uid: PersonUid): Promise<Row[]> =>
  read(tx, sql`peep t where t.client_uid = ${clientUid} and t.person_uid = ${uid} order by t.created_at`)
