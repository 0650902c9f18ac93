import { randomBytes, randomUUID } from 'node:crypto'
import type { EventUid, PersonUid } from '#kernel/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { TestServer } from '../../testing/test-server.ts'

/** Addresses of pages for strangers that are open, of one event. */
export interface StrangeAddresses {
  pack: string
  /** Of someone who has opened the pack. */
  reader: string
  /** Tells who has seen the plan of the person. */
  notice: string
  /** The person's own page. */
  link: string
  poster: string
}

const token = (length: number) => randomBytes(length).toString('hex').slice(0, length)

export async function givenAddresses(
  { db }: TestServer,
  event: { eventUid: string; personUid: string },
): Promise<StrangeAddresses> {
  const { clientUid, siteUid, evacueeUid, signInUid } = await db
    .selectFrom('evacuee as v')
    .innerJoin('event as e', (on) => on.onRef('e.clientUid', '=', 'v.clientUid').onRef('e.uid', '=', 'v.eventUid'))
    .innerJoin('wardenSignIn as si', (on) =>
      on.onRef('si.clientUid', '=', 'v.clientUid').onRef('si.eventUid', '=', 'v.eventUid'),
    )
    .select(['e.clientUid', 'e.siteUid', 'v.uid as evacueeUid', 'si.uid as signInUid'])
    .where('v.eventUid', '=', event.eventUid as EventUid)
    .where('v.personUid', '=', event.personUid as PersonUid)
    .executeTakeFirstOrThrow()
  const expiresAt = new Date(Date.now() + 3_600_000)
  const [pack, reader, notice, link, code] = [token(22), token(22), token(22), token(16), token(8)]
  const packUid = randomUUID()
  await db
    .insertInto('arrivalPack')
    .values({
      uid: packUid,
      eventUid: event.eventUid,
      clientUid,
      expiresAt,
      plans: false,
      bySignInUid: signInUid,
      tokenHash: sha256(pack),
    })
    .execute()
  const seenBy = { name: 'Kim', network: '203.0.113.0/24', agent: 'Browser', readerHash: sha256(reader) }
  await db
    .insertInto('arrivalPackReader')
    .values({ ...seenBy, clientUid, packUid })
    .execute()
  const told = { how: 'mail', tokenHash: sha256(notice), toldAt: new Date(), expiresAt }
  await db
    .insertInto('planNotice')
    .values({ ...event, ...told, clientUid })
    .onConflict((has) => has.columns(['clientUid', 'eventUid', 'personUid']).doUpdateSet(told))
    .execute()
  const own = { tokenHash: sha256(link), revokedAt: null }
  await db
    .insertInto('selfLink')
    .values({ ...own, clientUid, evacueeUid, uid: randomUUID() })
    .onConflict((has) => has.columns(['clientUid', 'evacueeUid']).doUpdateSet(own))
    .execute()
  const page = { code, open: true }
  await db
    .insertInto('selfReportPage')
    .values({ ...page, clientUid, siteUid })
    .onConflict((has) => has.columns(['clientUid', 'siteUid']).doUpdateSet(page))
    .execute()
  return {
    pack: `/p/${pack}`,
    reader: `/p/${pack}/${reader}`,
    notice: `/v/${notice}`,
    link: `/s/${link}`,
    poster: `/s/${code}`,
  }
}
