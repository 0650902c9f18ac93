import { wordsOfRecord } from '../../doing.ts'
import { durationOf, lastClearOf } from '../../figures.ts'
import { kindName } from '../../words.ts'
import { unaccounted } from './people-sentences.ts'
import { countOf, numberOf, type Told, timesIn } from './sentence-words.ts'

type Text = string | null
interface Time {
  from: number
  to: number | null
}

const longestOf = <T extends Time>(times: readonly T[], end: number): T | undefined => {
  const lasted = ({ from, to }: Time) => (to ?? end) - from
  return times.toSorted((a, b) => lasted(b) - lasted(a) || a.from - b.from)[0]
}

export function instructionsSent({ instructions }: Told): Text {
  if (!instructions || instructions.sent === 0) return null
  const { sent, expected, arrived } = instructions
  return `${countOf(sent, 'instruction was', 'instructions were')} sent. ${numberOf(arrived)} of ${countOf(expected, 'confirmation', 'confirmations')} had arrived when it ended.`
}

export function outages(record: Told): Text {
  const { server = [], feed = [] } = record.outages ?? {}
  const { secondOf } = timesIn(record)
  const between = ({ from, to }: { from: number; to: number }) => `from ${secondOf(from)} to ${secondOf(to)}`
  const [longest, delayed] = [longestOf(server, record.seconds), longestOf(feed, record.seconds)]
  const all = server.reduce((sum, { from, to }) => sum + to - from, 0)
  const parts = [
    longest && server.length === 1 && `The server was unavailable ${between(longest)}.`,
    longest &&
      server.length > 1 &&
      `The server was unavailable ${numberOf(server.length)} times, ${durationOf(all)} in all; the longest was ${between(longest)}.`,
    delayed && `Live updates were delayed ${between(delayed)}.`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}

export function noPhoneReached(record: Told): Text {
  const service = record.contact?.service ?? []
  const longest = longestOf(service, record.seconds)
  if (!longest) return null
  const { secondOf } = timesIn(record)
  const until = longest.to === null ? 'to the end' : `to ${secondOf(longest.to)}`
  const more = service.length - 1
  const listed = more === 0 ? '' : ` ${numberOf(more)} more such ${more === 1 ? 'time is' : 'times are'} listed.`
  return `No phone on duty reached the server from ${secondOf(longest.from)} ${until}.${listed}`
}

export function outOfContact({ contact }: Told): Text {
  if (!contact) return null
  const { wardens, to_the_end, service } = contact
  if (wardens === 0) return service.length > 0 ? null : 'No warden on duty was out of contact for more than 90 s.'
  const phones =
    wardens === 1 ? 'The phone of 1 warden on duty was' : `The phones of ${numberOf(wardens)} wardens on duty were`
  return `${phones} out of contact for more than 90 s, ${numberOf(to_the_end)} of them at the end.`
}

/** '1:30 sooner'. Null: nothing differs by a second, or one of both is not known. */
const ago = (now: number | null, then: number | null): Text => {
  const by = now === null || then === null ? 0 : Math.round(now - then)
  return by === 0 ? null : `${durationOf(Math.abs(by))} ${by < 0 ? 'sooner' : 'later'}`
}

export function comparedWithEarlier(record: Told): Text {
  const { compared, wardens } = record
  if (!compared) return null
  const own = compared.own ?? { last_clear: lastClearOf(record), unaccounted: unaccounted(record) }
  const from = record.counts_from ?? 0
  const half = wardens.answered.half === null ? null : wardens.answered.half - from
  const [clear, answered] = [ago(own.last_clear, compared.last_clear), ago(half, compared.half_answered)]
  const missing = own.unaccounted - compared.unaccounted
  const people = `${numberOf(Math.abs(missing))} ${missing > 0 ? 'more' : 'fewer'} ${Math.abs(missing) === 1 ? 'person was' : 'people were'} not accounted for`
  const parts = [
    clear &&
      `the last of the ${countOf(compared.common_floors, 'floor', 'floors')} in both was ${wordsOfRecord(record).done} ${clear}`,
    answered && compared.same_buildings !== false && `half of the wardens answered ${answered}`,
    missing !== 0 && people + (compared.same_buildings === false ? ' in the buildings of both' : ''),
  ].filter(Boolean)
  if (parts.length === 0) return null
  return `Compared with the ${kindName[record.kind]} of ${timesIn(record).dateOf(compared.started_at)}: ${parts.join(', ')}.`
}
