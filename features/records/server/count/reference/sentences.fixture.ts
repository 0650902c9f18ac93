import type { drillOf, floorsOf, peopleOf, serviceOf, wardensOf } from './figures.fixture.ts'
import type { Model } from './model.fixture.ts'
import { changesOf, wordsOf } from './words.fixture.ts'

interface Told {
  m: Model
  people: ReturnType<typeof peopleOf>
  floors: ReturnType<typeof floorsOf>
  wardens: ReturnType<typeof wardensOf>
  service: ReturnType<typeof serviceOf>
  drill: ReturnType<typeof drillOf>
  texts: { delivered: number; failed: number; withoutReceipt: number; notSent: number; half: number | null }
  /** 'HH:MM:SS' of a second of the event. */
  clock: (second: number) => string
}
const d = (seconds: number) => {
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}
const n = (many: number, one: string, more: string) => `${many} ${many === 1 ? one : more}`
const was = (many: number) => (many === 1 ? 'was' : 'were')
const five = (places: string[]) =>
  places.slice(0, 5).join(', ') + (places.length > 5 ? ` and ${places.length - 5} more` : '')

/** The sentences that the figures should give, by number, in their order. Those of the head are left out. */
export function expectedSentences({
  m,
  people,
  floors,
  wardens,
  service,
  drill,
  texts,
  clock,
}: Told): [number, string][] {
  const after = (at: number) => d(at - m.start)
  const all: [number, string | null | undefined | false][] = [...changesOf(m, clock)]
  const w = wordsOf(m)
  const { end, left, once_danger: once } = people
  const states = (of: typeof end, verb: string) =>
    `${of.safe} ${verb}${w.safe}, ${of.unknown} unknown and ${of.danger} ${w.danger}`
  const missing = end.unknown + end.danger
  const safe =
    drill &&
    `${drill.people.safe} of ${n(drill.people.total, 'person', 'people')} ${was(drill.people.safe)} recorded ${w.recordedSafe}`
  all.push([
    18,
    drill &&
      `In the drill, ${safe} and ${drill.floors.reported} of ${n(drill.floors.total, 'floor', 'floors')} ${was(drill.floors.reported)} reported ${w.done}. The figures below count from ${clock(m.start).slice(0, 5)}.`,
  ])
  all.push([
    4,
    end.total === 0
      ? 'There was no one to account for.'
      : `${n(end.total, 'person was', 'people were')} to be accounted for. When it ended ${left.length > 0 ? 'for them ' : ''}${states(end, `${was(end.safe)} `)}.`,
  ])
  for (const one of left) {
    const name = m.world.buildings.find(({ id }) => id === one.building)?.name
    all.push([
      19,
      `${one.people.total} of them left the event with ${name} after ${after(one.after)}: ${states(one.people, '')}.`,
    ])
  }
  const live =
    m.made < 0
      ? `after ${after(people.everyone_after ?? 0)}`
      : `${after(people.everyone_after ?? 0)} after it became live`
  all.push([
    5,
    end.total > 0 && missing > 0 && `${n(missing, 'person', 'people')} had not been accounted for when it ended.`,
  ])
  all.push([5, people.everyone_after !== null && `Everyone was accounted for ${live}.`])
  all.push([
    20,
    once.people === 1 && `1 person was recorded ${w.danger} and was ${w.safe} ${d(once.safe_after)} later.`,
  ])
  all.push([
    20,
    once.people > 1 &&
      `${once.people} people were recorded ${w.danger} and later ${w.safe}. The longest was ${w.danger} for ${d(once.longest)}.`,
  ])
  const reported = floors.filter(({ first_clear }) => first_clear !== null)
  const stood = floors.filter(({ clear }) => clear !== null).sort((a, b) => (a.clear ?? 0) - (b.clear ?? 0))
  const lastOne = stood[stood.length - 1]
  const open = reported.filter(({ clear }) => clear === null)
  const hasClear = m.hasClear && floors.length > 0
  all.push([6, hasClear && reported.length === 0 && `No floor was reported ${w.done}.`])
  all.push([
    6,
    reported.length > 0 &&
      `${reported.length} of ${n(floors.length, 'floor', 'floors')} ${was(reported.length)} reported ${w.done}${lastOne ? `; the last was ${lastOne.place} after ${after(lastOne.clear ?? 0)}` : ''}.` +
        (open.length > 0
          ? ` ${open.length} of them ${was(open.length)} not ${w.done} at the end: ${five(open.map(({ place }) => place))}.`
          : ''),
  ])
  const early = floors.filter(({ unseen_when_clear }) => unseen_when_clear > 0)
  const unseen = early.reduce((sum, one) => sum + one.unseen_when_clear, 0)
  all.push([
    7,
    early.length > 0 &&
      `${n(early.length, 'floor was', 'floors were')} reported ${w.done} while ${unseen} of ${early.length === 1 ? 'its' : 'their'} people ${was(unseen)} still unknown or ${w.danger}.`,
  ])
  const half = wardens.half === null ? 'Fewer than half answered.' : `Half had answered after ${after(wardens.half)}.`
  all.push([
    8,
    wardens.total > 0 &&
      `${wardens.reported_in + wardens.not_available} of ${n(wardens.total, 'warden', 'wardens')} answered: ${wardens.reported_in} reported in, ${wardens.not_available} not available. ${half}`,
  ])
  const never = floors.filter(({ isNever }) => isNever).map(({ place }) => place)
  all.push([
    9,
    never.length > 0 &&
      `${never.length} of ${n(floors.length, 'floor', 'floors')} had no warden, and nothing was recorded there: ${five(never)}.`,
  ])
  const { refusals, agreed, plans } = people
  all.push([10, refusals === 1 && `1 person ${w.refused}${agreed ? `, and ${w.one}` : ''}.`])
  all.push([10, refusals > 1 && `${refusals} people ${w.refused}.${agreed ? ` ${agreed} of them ${w.some}.` : ''}`])
  const { help, instructions, outages, contact, late } = service
  all.push([
    21,
    help.calls > 0 &&
      (help.answered === 0
        ? `${n(help.calls, 'call', 'calls')} for help came in; none was answered.`
        : `${n(help.calls, 'call', 'calls')} for help came in: ${help.answered} ${was(help.answered)} answered, half of them within ${d(help.half ?? 0)}, and ${help.open} ${was(help.open)} open when it ended.`),
  ])
  const { end: p, last_safe } = plans
  const lastSafe = last_safe === null ? null : after(last_safe)
  const notSafe = p.unknown + p.danger
  all.push([11, p.total === 1 && p.safe === 1 && `The person with an evacuation plan was ${w.safe} after ${lastSafe}.`])
  all.push([
    11,
    p.total > 1 &&
      notSafe === 0 &&
      `All ${p.total} people with an evacuation plan were ${w.safe}, the last after ${lastSafe}.`,
  ])
  all.push([
    11,
    notSafe > 0 &&
      `Of ${n(p.total, 'person', 'people')} with an evacuation plan, ${p.safe} ${was(p.safe)} ${w.safe}${lastSafe === null ? '' : `, the last after ${lastSafe}`}; ${notSafe} ${was(notSafe)} not accounted for.`,
  ])
  const written = texts.delivered + texts.failed + texts.withoutReceipt + texts.notSent
  all.push([
    12,
    written > 0 &&
      `${n(written, 'text', 'texts')}: ${texts.delivered} delivered, ${texts.failed} failed, ${texts.withoutReceipt} without a receipt, ${texts.notSent} not sent.${texts.half === null ? '' : ` Half were delivered within ${d(texts.half)}.`}`,
  ])
  all.push([
    24,
    instructions.sent > 0 &&
      `${n(instructions.sent, 'instruction was', 'instructions were')} sent. ${instructions.arrived} of ${n(instructions.expected, 'confirmation', 'confirmations')} had arrived when it ended.`,
  ])
  const made =
    late.records === 1 ? ['it was', 'the time at which it was'] : ['they were', 'the times at which they were']
  all.push([
    13,
    late.records > 0 &&
      `${n(late.records, 'record', 'records')} reached the server more than 30 s after ${made[0]} made, the latest after ${d(late.longest)}. The figures use ${made[1]} made.`,
  ])
  const longestOf = (times: { from: number; to: number }[]) =>
    [...times].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)[0]
  const [down, slow] = [longestOf(outages.server), longestOf(outages.feed)]
  const total = outages.server.reduce((sum, { from, to }) => sum + to - from, 0)
  const from = (time: { from: number; to: number }) => `from ${clock(time.from)} to ${clock(time.to)}`
  const server = !down
    ? ''
    : outages.server.length === 1
      ? `The server was unavailable ${from(down)}.`
      : `The server was unavailable ${outages.server.length} times, ${d(total)} in all; the longest was ${from(down)}.`
  all.push([
    22,
    [server, slow ? `Live updates were delayed ${from(slow)}.` : ''].filter((text) => text !== '').join(' ') || null,
  ])
  const quiet = contact && longestOf(contact.service)
  const more = (contact?.service.length ?? 0) - 1
  all.push([
    23,
    quiet &&
      `No phone on duty reached the server from ${clock(quiet.from)} to ${quiet.to >= m.end ? 'the end' : clock(quiet.to)}.${more > 0 ? ` ${more} more such ${more === 1 ? 'time is' : 'times are'} listed.` : ''}`,
  ])
  all.push([
    14,
    contact &&
      contact.wardens === 0 &&
      contact.service.length === 0 &&
      'No warden on duty was out of contact for more than 90 s.',
  ])
  all.push([
    14,
    contact &&
      contact.wardens > 0 &&
      `${contact.wardens === 1 ? 'The phone of 1 warden on duty was' : `The phones of ${contact.wardens} wardens on duty were`} out of contact for more than 90 s, ${contact.to_the_end} of them at the end.`,
  ])
  return all.filter((one): one is [number, string] => typeof one[1] === 'string')
}
