import { randomBytes } from 'node:crypto'
import { makeWall } from '#features/board/calls/walls.ts'
import { getChannelToken } from '#features/live-updates/calls/realtime.ts'
import type { Call } from '#kernel/client/client.ts'
import { newToken } from '../../platform/secrets.ts'
import { asAdministrator, givenAdministrator } from '../../testing/administrators.ts'
import type { Organisation } from '../../testing/given-places.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { bearer } from './ask.fixture.ts'

/** A chief warden on duty with every module, so that only the token can be wrong. */
export async function givenTokens(server: TestServer) {
  const org = await server.given.organisation()
  const [warden, ofAccount, ofPerson] = [await chief(server, org), await chief(server, org), await chief(server, org)]
  const { manager } = await server.runningEvent(org)
  const [{ token }, ofNoAccount, ofNobody] = [
    await server.onDuty(warden),
    await server.onDuty(ofAccount),
    await server.onDuty(ofPerson),
  ]
  await switchOff(server, 'account', ofAccount.accountUid)
  await switchOff(server, 'person', ofPerson.personUid)

  const closed = await server.given.organisation()
  const ofClosed = await chief(server, closed)
  await server.runningEvent(closed)
  const ofNoClient = await server.onDuty(ofClosed)
  await switchOff(server, 'client', closed.clientUid)

  const headers: Record<Wrong, Record<string, string>> = {
    'no token': {},
    'an empty header': { authorization: '' },
    garbage: bearer('garbage'),
    'a token that no one has': bearer(newToken(server.app.secrets.access)),
    'a token that someone made up': bearer(newToken(randomBytes(32))),
    'a token without its type': { authorization: token },
    'another type': { authorization: `Basic ${token}` },
    'a token and a bit': bearer(`${token}x`),
    'a token in other letters': bearer(token.toUpperCase()),
    'an expired token': bearer((await server.as(warden, { expiresAt: new Date(Date.now() - 1) })).token),
    'a revoked token': bearer((await server.as(warden, { revokedAt: new Date() })).token),
    'the real-time token': bearer((await manager(getChannelToken, {})).token),
    'a token of the console': bearer((await asAdministrator(server, await givenAdministrator(server, org))).token),
    'the token of a wall': bearer(await wallToken(manager, org)),
    'the token of an account that was switched off': bearer(ofNoAccount.token),
    'the token of a person who was switched off': bearer(ofNobody.token),
    'a token of a client that was switched off': bearer(ofNoClient.token),
  }
  return { headers, right: bearer(token) }
}

/** BOARD-32. */
async function wallToken(manager: Call, { siteUid: site }: Organisation): Promise<string> {
  const { url } = await manager(makeWall, { body: { site, name: 'Lobby', place: 'team', days: 1 } })
  return url.split('#')[1] as string
}

const chief = ({ given }: TestServer, org: Organisation) => given.warden(org, { role: 'Chief Warden' })

const switchOff = ({ db }: TestServer, table: 'account' | 'person' | 'client', uid: string) =>
  db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

export const wrongTokens = [
  'no token',
  'an empty header',
  'garbage',
  'a token that no one has',
  'a token that someone made up',
  'a token without its type',
  'another type',
  'a token and a bit',
  'a token in other letters',
  'an expired token',
  'a revoked token',
  'the real-time token',
  'a token of the console',
  'the token of a wall',
  'the token of an account that was switched off',
  'the token of a person who was switched off',
  'a token of a client that was switched off',
] as const
type Wrong = (typeof wrongTokens)[number]
