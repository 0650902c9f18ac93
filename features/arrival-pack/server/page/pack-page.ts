import type { PersonUid } from '#kernel/ids.ts'
import { type Html, html, plainPage, words } from '#server/platform/plain-page.ts'
import {
  byBuilding,
  figuresOf,
  momentOf,
  openPlaces,
  type PackContent,
  type PackPlace,
  sum,
} from '../pack-content.service.ts'
import { actionLines, meaningOf, sayOfPack } from './pack-actions.ts'
import {
  asOf,
  commandLine,
  contactItem,
  dangerItem,
  floorsTable,
  hazardItem,
  helpAt,
  openFloorsOr,
} from './pack-parts.ts'
import { packStyleFor } from './pack-style.ts'
import { type Times, timesIn } from './pack-times.ts'
import { qrCode } from './qr.ts'

/** More open floors are summed by building, with a page for each. */
const mostFloors = 200
/** On paper more floors stand in two columns. */
const mostInOneColumn = 25
const mostBytes = 100_000

interface Addresses {
  /** What the QR code opens. */
  url: string
  /** The reader's own page. */
  here: string
  endsAt: Date
}

interface Opened {
  page: string
  style: string
  /** People whose help needed stands on the page. */
  shown: PersonUid[]
}

/** Lines of a list of people or places: the longest that keep the page small. */
const extents = [500, 200, 100, 50, 20]

/** What is too much for one page is told by number. */
export function packPage(content: PackContent, addresses: Addresses): Opened {
  const { event } = content
  const times = timesIn(event.timezone, momentOf(event))
  const style = packStyleFor(`${event.site}, as of ${times.moment(momentOf(event))} ${times.zone}`)
  for (const most of extents) {
    const isSummed = openPlaces(content.places).length > mostFloors || most < mostFloors
    const body = bodyOf(content, addresses, { most, isSummed })
    const page = plainPage({ title: `Arrival pack, ${content.event.site}`, body, style })
    if (Buffer.byteLength(page) < mostBytes || most === extents.at(-1))
      return { page, style, shown: shownHelp(content, most) }
  }
  throw new Error('unreachable')
}

interface Extent {
  /** Lines of a list of people or places. */
  most: number
  isSummed: boolean
}

function bodyOf(content: PackContent, { url, here, endsAt }: Addresses, { most, isSummed }: Extent): Html {
  const { event, hazards, danger } = content
  const times = timesIn(event.timezone, momentOf(event))
  const figures = figuresOf(content)
  const say = sayOfPack(content.places)
  return html`${
    event.kind === 'drill' &&
    html`<p class="drill">DRILL. This is an exercise.</p>
`
  }<main>
${qrCode(url, 'QR code of this arrival pack')}
<h1>${words(event.type)}, ${words(event.site)}</h1>
<p>Began ${times.moment(event.beganAt)}${event.endedAt && html`. The event ended ${times.moment(event.endedAt)}`}</p>
${asOf(event, times, html`<br><span class="small">This page does not update by itself. It works until ${times.minute(endsAt)}.</span>`)}
<p class="bar"><a href="${here}">Refresh</a></p>
${actionLines(content.places, times)}${commandLine(content.inCommand, event)}
<dl class="totals">
<div${figures.danger > 0 && html` class="danger"`}><dt>${say('In danger')}</dt><dd>${figures.danger}</dd></div>
<div><dt>${say('Unknown on floors not cleared')}</dt><dd>${figures.unknownNotCleared}</dd></div>
<div><dt>Need help</dt><dd>${figures.help}</dd></div>
<div><dt>${say('Floors cleared')}</dt><dd>${figures.cleared} of ${figures.floors}</dd></div>
</dl>
<p>${meaningOf(content.places)}</p>
<h2>Hazards</h2>
${listOf(
  hazards.slice(0, most).map((row) => hazardItem(row, times)),
  'No hazards recorded.',
)}${more(hazards.length - most, 'hazards')}
<h2>${say('People in danger')}</h2>
${listOf(
  danger.slice(0, most).map((row) => dangerItem(row, times)),
  say('No one is recorded as in danger.'),
)}
${more(figures.danger - Math.min(danger.length, most), say('in danger'))}
<h2>Help needed</h2>
${helpNeeded(content, times, most)}
<h2>${say('Floors not cleared')}</h2>
${openFloorsOr(content.places, (open) => (isSummed ? buildingSums(open, here) : openFloors(open, times)))}
<h2>${say('Cleared floors')}</h2>
${clearedFloors(content, most)}
<h2>Contacts${event.endedAt && html` at the end of the event`}</h2>
${listOf(content.contacts.map(contactItem), event.endedAt ? 'No event manager was on duty.' : 'No event manager is on duty.')}${more(
  (content.contacts[0]?.ofAll ?? 0) - content.contacts.length,
  'event managers',
)}
</main>`
}

const listOf = (items: readonly Html[], none: string) =>
  items.length > 0
    ? html`<ul>
${items.map(
  (item) => html`${item}
`,
)}</ul>`
    : html`<p>${none}</p>`

const more = (count: number, what: string) =>
  count > 0 && html`<p><strong>And ${count} more ${what}. Ask the person in command.</strong></p>`

const shownHelp = ({ help }: PackContent, most: number) =>
  help.slice(0, most).flatMap(({ personUid, assistance }) => (assistance === null ? [] : [personUid]))

function helpNeeded({ help }: PackContent, times: Times, most: number): Html {
  const places = [...Map.groupBy(help.slice(0, most), ({ place }) => place)]
  return html`${listOf(
    places.map(([place, rows]) => helpAt(place, rows, times)),
    'No one with a plan is missing.',
  )}${more(help.length - most, 'who need help')}`
}

function openFloors(open: readonly PackPlace[], times: Times): Html {
  const tables = byBuilding(open).map(
    (rows) => html`${floorsTable(rows, times)}
`,
  )
  return open.length > mostInOneColumn ? html`<div class="columns">${tables}</div>` : html`${tables}`
}

/** A line a building, each with a page of its own. */
const buildingSums = (open: readonly PackPlace[], here: string): Html => html`<table>
<thead><tr><th scope="col">Building</th><th scope="col" class="n">Floors</th><th scope="col" class="n">Unknown</th><th scope="col" class="n">${sayOfPack(open)('In danger')}</th></tr></thead>
<tbody>
${byBuilding(open).map(
  (rows) =>
    html`<tr><td><a href="${here}/${rows[0]?.buildingUid}">${words(rows[0]?.building ?? '')}</a></td><td class="n">${rows.length}</td><td class="n">${sum(rows, 'unknown')}</td><td class="n">${sum(rows, 'danger')}</td></tr>
`,
)}</tbody>
</table>`

function clearedFloors({ places }: PackContent, most: number): Html {
  const say = sayOfPack(places)
  const cleared = byBuilding(places.filter(({ isClear }) => isClear))
  const namesOf = (rows: PackContent['places']) =>
    rows.length > most / 2 ? html`${rows.length} floors` : words(rows.map(({ floor }) => floor).join(', '))
  return html`${listOf(
    cleared.slice(0, most).map((rows) => html`<li>${words(rows[0]?.building ?? '')}: ${namesOf(rows)}</li>`),
    say('No floor is cleared.'),
  )}${more(cleared.length - most, say('buildings with cleared floors'))}`
}
