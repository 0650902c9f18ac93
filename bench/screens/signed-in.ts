import type pg from 'pg'
import { type AuthReply, getProfile } from '#features/sign-in/calls/sign-in.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import type { CallReply } from '#kernel/route.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import { hashOf } from '../../rig/access-tokens.ts'
import type { World } from '../seed/seed.ts'

/** The items of localStorage that a sign-in of the first warden leaves in a browser. */
export async function signedInStorage(
  { url, pool }: { url: string; pool: pg.Pool },
  world: Pick<World, 'clientUid' | 'tokens'>,
): Promise<Record<string, string>> {
  const token = world.tokens[0] as string
  const profile: CallReply<typeof getProfile> = await callerOf(url, token)(getProfile, {})
  const { rows } = await pool.query<pg.QueryResultRow>(
    `select si.person_uid, si.assignment_uid, si.uid from warden_sign_in si
     join session s on s.client_uid = si.client_uid and s.person_uid = si.person_uid and s.token_hash = $2
     where si.client_uid = $1 and si.on_duty`,
    [world.clientUid, hashOf(token)],
  )
  const auth: AuthReply = {
    token_type: 'Bearer',
    access_token: `Bearer ${token}`,
    WardenSignInUID: rows[0]?.uid,
    Warden_Assignment_UID: rows[0]?.assignment_uid,
    Person_UID: rows[0]?.person_uid,
    module_access: Object.fromEntries(moduleFlags.map((flag) => [flag, true])) as AuthReply['module_access'],
    on_duty: true,
    peer_email: null,
    event: { status: true, goToReportInListPage: false },
    event_kind: 'live',
  }
  const me = {
    firstname: profile.Firstname,
    lastname: profile.Lastname,
    email: profile.Email,
    mobile: profile.Mobile,
    client_master: profile.Is_Client_Master,
    client_uid: profile.Client_UID,
    primary_floor_uid: profile.Primary_Location_Floor_UID,
  }
  const onThisPhone = { signInMethod: 'Email', isReportInToken: false, reportInDetails: null }
  return { auth: JSON.stringify({ ...auth, ...onThisPhone }), me: JSON.stringify(me) }
}
