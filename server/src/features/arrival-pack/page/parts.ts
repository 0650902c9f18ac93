import { type Html, html, words } from '../../../platform/plain-page.ts'
import type { DangerRow, HelpRow } from '../content.queries.ts'
import type { PackPlace } from '../content.service.ts'
import type { HazardRow } from '../hazards.queries.ts'
import type { Times } from './times.ts'

/** PACK-04, PACK-12 */
export const hazardItem = ({ place, words: text, at, by, role }: HazardRow, times: Times): Html =>
  html`<li><b>${words(text)}</b>${place ? words(place) : 'Whole site'}<span class="small">Noted ${times.minute(at)} by ${words(by)}, ${words(role)}</span></li>`

export function dangerItem({ place, name, at, by, role, ownWord }: DangerRow, times: Times): Html {
  const source = ownWord ? `by own ${ownWord}` : by ? html`by ${words(by)}${role && html`, ${words(role)}`}` : ''
  return html`<li><b>${words(place)}</b>${words(name)}<span class="small">${at ? `Recorded ${times.minute(at)} ` : ''}${source}</span></li>`
}

const states = { unknown: 'Unknown', danger: 'In danger' }
const seen = ({ seenAt }: HelpRow, times: Times) => (seenAt ? `seen ${times.minute(seenAt)}` : 'not seen yet')

/** PACK-06: what is shared line by line, what is not as a number. */
export function helpAt(place: string, rows: readonly HelpRow[], times: Times): Html {
  const shared = rows.filter(({ assistance }) => assistance !== null)
  const others = rows.length - shared.length
  return html`<li><b>${words(place)}</b>${shared.map(
    (row) =>
      html`<div>${words(row.assistance ?? '')}<span class="small">${states[row.status]}, ${seen(row, times)}</span></div>`,
  )}${others > 0 && html`<div>${others === 1 ? '1 person' : `${others} people`}, ask the person in command</div>`}</li>`
}

/** PACK-07: the status with the role of who set it, and when. */
function statusOf({ floorUid, status, statusAt, role }: PackPlace, times: Times): Html {
  if (floorUid === null) return html`People on no floor`
  return statusAt
    ? html`${words(status ?? '')}, ${times.minute(statusAt)}${role && html`, ${words(role)}`}`
    : html`${words(status ?? '')}, nobody has reported`
}

/** Floors not cleared of one building. */
export const floorsTable = (rows: readonly PackPlace[], times: Times): Html => html`<table>
<thead><tr><th scope="col">Floor</th><th scope="col" class="n">Unknown</th><th scope="col" class="n">In danger</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><td><b>${words(row.floor)}</b><span class="small">${statusOf(row, times)}</span></td><td class="n">${row.unknown}</td><td class="n">${row.danger}</td></tr>
`,
)}</tbody>
</table>`
