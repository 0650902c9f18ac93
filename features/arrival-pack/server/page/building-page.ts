import { html, plainPage, words } from '#server/platform/plain-page.ts'
import { momentOf, type PackContent } from '../pack-content.service.ts'
import { actionLines, sayOfPack } from './pack-actions.ts'
import { asOf, floorsTable, openFloorsOr } from './pack-parts.ts'
import { packStyleFor } from './pack-style.ts'
import { timesIn } from './pack-times.ts'

/** The open floors of one building. Undefined if the event has no such building. */
export function buildingPage(
  { event, places }: PackContent,
  buildingUid: string,
  pack: string,
): { page: string; style: string } | undefined {
  const rows = places.filter((place) => place.buildingUid === buildingUid)
  const [first] = rows
  if (!first) return undefined
  const times = timesIn(event.timezone, momentOf(event))
  const style = packStyleFor(`${event.site}, as of ${times.moment(momentOf(event))} ${times.zone}`)
  const body = html`${
    event.kind === 'drill' &&
    html`<p class="drill">DRILL. This is an exercise.</p>
`
  }<main>
<h1>${words(first.building)}: ${sayOfPack(rows)('floors not cleared')}</h1>
${asOf(event, times)}
${actionLines(rows, times)}<p class="bar"><a href="${pack}/${buildingUid}">Refresh</a> · <a href="${pack}">Whole arrival pack</a></p>
${openFloorsOr(rows, (open) => floorsTable(open, times))}
</main>`
  return {
    page: plainPage({ title: `${first.building}, ${sayOfPack(rows)('floors not cleared')}`, body, style }),
    style,
  }
}
