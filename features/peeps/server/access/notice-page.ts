import { type Html, html, plainPage, words } from '#server/platform/plain-page.ts'
import type { PlanReason } from '../../kinds.ts'
import type { SeenRow } from './peep-readers.queries.ts'
import type { NoticeEvent } from './send-notices.queries.ts'

export const noticeStyle = `
ul{list-style:none;margin:0;padding:0}
li{padding:10px 0;border-bottom:1px solid var(--line)}
li b,li span{display:block}
`
/** Why, as the person who is told reads it. */
const reasons: Readonly<Record<PlanReason, string>> = {
  helping: 'Was going to help you',
  sending: 'Was sending someone to help you',
  services: 'The fire service asked',
}

const whyOf = ({ way, reason }: SeenRow) =>
  way === 'list'
    ? 'Read a list of people that shows plans'
    : way === 'pack'
      ? 'Read the page for the fire service'
      : reason
        ? reasons[reason]
        : 'Opened it'

/** A pack asks for a name and cannot check it. */
function whoOf({ name, role, way, given }: SeenRow): Html {
  if (way !== 'pack') return html`${words(name)}${role && html`, ${words(role)}`}`
  return given === null ? html`A reader who gave no name` : html`A reader who gave the name ${words(given)}`
}

/** Who, when and why. Nothing on it says whose plan it is, or what the plan says. */
export function noticePage(
  { site, timezone, isDrill, beganAt, contactEmail }: NoticeEvent,
  seen: readonly SeenRow[],
): string {
  const date = new Intl.DateTimeFormat('en-AU', { timeZone: timezone, day: 'numeric', month: 'long', year: 'numeric' })
  const time = new Intl.DateTimeFormat('en-AU', {
    timeZone: timezone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  const item = (row: SeenRow): Html =>
    html`<li><b>${whoOf(row)}</b><span>${whyOf(row)}</span><span class="muted">${time.format(row.at)}</span></li>
`
  return plainPage({
    title: 'Who opened your evacuation plan',
    style: noticeStyle,
    body: html`<main>
<h1>Who opened your evacuation plan</h1>
<p>In the ${isDrill ? 'drill' : 'event'} at ${words(site)} on ${date.format(beganAt)}. The wardens of your own floor may read it as part of their duty, and are not listed here.</p>
<ul>
${seen.map(item)}</ul>
${contactEmail && html`<p>Questions: <a href="mailto:${contactEmail}">${contactEmail}</a></p>`}
</main>`,
  })
}

/** An unknown address, and one that has ended. */
export const endedPage = () =>
  plainPage({ title: 'Evacuation plan', body: html`<main><h1>This page is no longer available.</h1></main>` })
