import { requireManagedSite } from '#features/events/server/event-reach.service.ts'
import type { SiteUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { getReportCode, openReportPage } from '../calls.ts'
import { newPosterCode } from './links/link-codes.ts'
import * as queries from './poster.queries.ts'

/** A site gets its code when its poster is first opened. */
export async function presentPoster(
  tx: Tx,
  actor: Actor,
  siteUid: SiteUid,
  appUrl: string,
): Promise<CallAnswer<typeof getReportCode>> {
  await requireManagedSite(tx, actor, siteUid)
  return readPoster(tx, actor, siteUid, appUrl)
}

async function readPoster(tx: Tx, actor: Actor, siteUid: SiteUid, appUrl: string) {
  const page = await pageOf(tx, actor, siteUid)
  const { siteName: name, code, open } = page
  return { site: { id: siteUid, name }, code, url: `${appUrl}/s/${code}`, open }
}

async function pageOf(tx: Tx, actor: Actor, siteUid: SiteUid): Promise<queries.PageRow> {
  const { clientUid } = actor
  const found = await queries.findPage(tx, clientUid, siteUid)
  if (found) return found
  if (await queries.keepPage(tx, clientUid, siteUid, newPosterCode())) await journal(tx, actor, siteUid, { made: true })
  const page = await queries.findPage(tx, clientUid, siteUid)
  if (!page) throw new Refusal('not_found')
  return page
}

/** 'Make a new code': old posters end. Personal links keep working. */
export async function renewCode(tx: Tx, actor: Actor, siteUid: SiteUid): Promise<null> {
  await requireManagedSite(tx, actor, siteUid)
  await pageOf(tx, actor, siteUid)
  await queries.replaceCode(tx, actor.clientUid, siteUid, newPosterCode())
  await journal(tx, actor, siteUid, { made: true })
  return null
}

/** 'Close the poster page' of the event's site, and open it again. */
export async function openPage(
  tx: Tx,
  actor: DutyActor,
  { open: wanted }: CallInput<typeof openReportPage>['body'],
): Promise<CallAnswer<typeof openReportPage>> {
  const { siteUid } = actor.assignment
  const open = wanted === 'yes'
  await pageOf(tx, actor, siteUid)
  if (await queries.setOpen(tx, actor.clientUid, siteUid, open)) await journal(tx, actor, siteUid, { open })
  return { open }
}

/** During an event it is told to the event. */
const journal = (tx: Tx, actor: Actor, siteUid: SiteUid, after: { open: boolean } | { made: true }) =>
  record(tx, journalActor(actor), {
    action: 'report_page_changed',
    subjectType: 'site',
    subjectUid: siteUid,
    after,
    eventUid: actor.event && actor.assignment?.siteUid === siteUid ? actor.event.uid : null,
  })
