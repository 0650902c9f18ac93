import type { InCommand } from '#features/command/server/command-summary.ts'
import { type Html, html, words } from '#server/platform/plain-page.ts'
import type { HazardRow } from '../hazards.queries.ts'
import type { ContactRow, DangerRow, HelpRow, PackEvent } from '../pack-content.queries.ts'
import { momentOf, openPlaces, type PackPlace } from '../pack-content.service.ts'
import { sayOfPack } from './pack-actions.ts'
import type { Times } from './pack-times.ts'

const minuteMs = 60_000

/** The moment of all figures of the page. After the event it is the end, and the page says so. */
export const asOf = (event: PackEvent, times: Times, below?: Html): Html =>
  html`<p class="asof"><strong>As of ${event.endedAt && 'the end of the event, '}${times.moment(momentOf(event))} ${times.zone}</strong>${
    event.endedAt && html`<br>The event has ended. These are the figures of its end.`
  }${below}</p>`

/** As every event page says it. */
export function commandLine(leader: InCommand | null, event: PackEvent): Html {
  if (!leader)
    return html`<p><strong>${event.endedAt ? 'No one was in command at the end.' : 'No one is in command.'}</strong></p>`
  const { name, role, phone, silentSince } = leader
  const minutes = silentSince && Math.floor((momentOf(event).getTime() - silentSince.getTime()) / minuteMs)
  return html`<p><strong>In command${event.endedAt && ' at the end'}: ${words(name)}, ${words(role)}</strong>${phoneLink(phone)}${
    minutes !== null && html`<br><span class="small">No contact for ${minutes} min</span>`
  }</p>`
}

const phoneLink = (phone: string | null) => phone && html`, <a href="tel:+${phone}">+${phone}</a>`

export const contactItem = ({ name, role, mobile }: ContactRow): Html =>
  html`<li><b>${words(name)}</b><br>${words(role)}${phoneLink(mobile)}</li>`

export const hazardItem = ({ place, words: text, at, by, role, inDrill }: HazardRow, times: Times): Html =>
  html`<li><b>${words(text)}</b>${inDrill && ' (noted in the drill)'}<br>${place ? words(place) : 'Whole site'}<br><span class="small">Noted ${times.minute(at)} by ${words(by)}, ${words(role)}</span></li>`

export function dangerItem({ place, name, at, by, role, ownWord }: DangerRow, times: Times): Html {
  const source = ownWord ? `by their own ${ownWord}` : by ? html`by ${words(by)}${role && html`, ${words(role)}`}` : ''
  return html`<li><b>${words(place)}</b><br>${words(name)}<br><span class="small">${at ? `Recorded ${times.minute(at)} ` : ''}${source}</span></li>`
}

const states = { unknown: 'Unknown', danger: 'In danger' }
const seen = ({ seenAt }: HelpRow, times: Times) => (seenAt ? `seen ${times.minute(seenAt)}` : 'not seen yet')

/** What is shared line by line, what is not as a number. */
export function helpAt(place: string, rows: readonly HelpRow[], times: Times): Html {
  const shared = rows.filter(({ assistance }) => assistance !== null)
  const others = rows.length - shared.length
  return html`<li><b>${words(place)}</b>${shared.map(
    (row) =>
      html`<div>${words(row.assistance ?? '')}${row.isCut && html`… <strong>There is more: ask the person in command.</strong>`}<br><span class="small">${states[row.status]}, ${seen(row, times)}</span></div>`,
  )}${others > 0 && html`<div>${others === 1 ? '1 person' : `${others} people`}, ask the person in command</div>`}</li>`
}

/** The status with the role of who set it, and when. */
function statusOf({ floorUid, status, statusAt, role }: PackPlace, times: Times): Html {
  if (floorUid === null) return html`People on no floor`
  return statusAt
    ? html`${words(status ?? '')}, ${times.minute(statusAt)}${role && html`, ${words(role)}`}`
    : html`${words(status ?? '')}, no one has reported`
}

/** What the page says of floors that are not cleared. Without any floor nothing is known, and nothing is clear. */
export function openFloorsOr(places: readonly PackPlace[], show: (open: readonly PackPlace[]) => Html): Html {
  const open = openPlaces(places)
  if (open.length > 0) return show(open)
  const hasFloors = places.some(({ floorUid }) => floorUid !== null)
  return hasFloors
    ? html`<p>${sayOfPack(places)('All floors are cleared.')}</p>`
    : html`<p>The event has no floors.</p>`
}

/** Floors not cleared of one building. Its name heads each part of the table that a sheet of paper begins. */
export const floorsTable = (rows: readonly PackPlace[], times: Times): Html => html`<table class="floors">
<thead><tr><th scope="col">${words(rows[0]?.building ?? '')}</th><th scope="col" class="n">Unknown</th><th scope="col" class="n">${sayOfPack(rows)('In danger')}</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><td><b>${words(row.floor)}</b><br><span class="small">${statusOf(row, times)}</span></td><td class="n">${row.unknown}</td><td class="n">${row.danger}</td></tr>
`,
)}</tbody>
</table>`
