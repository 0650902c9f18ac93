import type { Deed, Of } from './deeds.fixture.ts'
import type { Model, Stood } from './model.fixture.ts'

type States = { safe: number; unknown: number; danger: number; total: number }
const count = <T>(of: readonly T[], holds: (one: T) => boolean) => of.filter(holds).length
const statesOf = (all: readonly Stood[]): States => ({
  safe: count(all, ({ status }) => status === 'safe'),
  unknown: count(all, ({ status }) => status === 'unknown'),
  danger: count(all, ({ status }) => status === 'danger'),
  total: count(all, ({ status }) => status !== null),
})
const longest = (times: readonly number[]) => Math.max(0, ...times)
const last = <T>(all: readonly T[]): T | undefined => all[all.length - 1]
const rank = (times: readonly number[], share: number, of: number) =>
  of === 0 ? null : ([...times].sort((a, b) => a - b)[Math.ceil(of * share) - 1] ?? null)
type Time = { from: number; to: number }
const mergedOf = (times: readonly Time[]): Time[] => {
  const all: Time[] = []
  for (const { from, to } of [...times].sort((a, b) => a.from - b.from)) {
    const before = last(all)
    if (before && before.to >= from) before.to = Math.max(before.to, to)
    else all.push({ from, to })
  }
  return all
}
/** What remains of some times without others. */
const cutOut = (times: readonly Time[], others: readonly Time[]) => {
  const edges = [...new Set([...times, ...others].flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const pieces = edges.slice(1).map((to, nth) => ({ from: edges[nth] as number, to }))
  const inAny = (all: readonly Time[], one: Time) => all.some(({ from, to }) => from <= one.from && one.to <= to)
  return mergedOf(pieces.filter((one) => inAny(times, one) && !inAny(others, one)))
}
const ofKind = <Did extends Deed['did']>(deeds: readonly Deed[], did: Did) =>
  deeds.filter((deed) => deed.did === did) as Of<Did>[]

/** The people of the part, at their end. */
export function peopleOf(m: Model) {
  const ends = m.counted.map((id) => m.personAt(id, m.end))
  const end = statesOf(ends)
  const leftTimes = new Map(m.counted.map((id) => [id, last(m.stood.get(id) as Stood[])]))
  const left = [...leftTimes].filter(([, one]) => one?.left) as [string, Stood][]
  const groups = [...new Set(left.map(([, one]) => `${one.at} ${m.buildingOf(one.place)}`))].map((key) => {
    const own = left.filter(([, one]) => `${one.at} ${m.buildingOf(one.place)}` === key).map(([, one]) => one)
    return { building: key.split(' ')[1] as string, after: Number(key.split(' ')[0]), people: statesOf(own) }
  })
  /** Every moment at which anything changes for anyone, each with how many are not accounted for. */
  const missingAt = (at: number, nth: number) =>
    count(m.people, (id) => ['unknown', 'danger'].includes(m.personAt(id, at, nth).status ?? ''))
  const moments = m.people
    .flatMap((id) => m.personIn(id).map(({ at, nth }) => ({ at, nth })))
    .sort((a, b) => a.at - b.at || a.nth - b.nth)
  const zero = moments.findLast(({ at, nth }) => missingAt(at, nth) > 0)
  const after = zero && moments.find(({ at, nth }) => at > zero.at || (at === zero.at && nth > zero.nth))
  const dangers = m.counted.flatMap((id) => {
    const own = m.personIn(id)
    if (last(own)?.status !== 'safe' || !own.some(({ status }) => status === 'danger')) return []
    const stays = own.map(({ status, at }, nth) => {
      if (status !== 'danger' || own[nth - 1]?.status === 'danger') return { inDanger: 0, untilSafe: 0 }
      const since = own.slice(0, nth).findLastIndex((one) => one.status === 'safe')
      const first = own.slice(since + 1).find((one) => one.status === 'danger')?.at ?? at
      return {
        inDanger: (own.slice(nth).find((one) => one.status !== 'danger')?.at ?? m.end) - at,
        untilSafe: (own.slice(nth).find((one) => one.status === 'safe')?.at ?? m.end) - first,
      }
    })
    return [
      { inDanger: longest(stays.map((one) => one.inDanger)), untilSafe: longest(stays.map((one) => one.untilSafe)) },
    ]
  })
  const refusing = m.people.filter((id) => m.personIn(id).some(({ refused }) => refused))
  const safeAfter = (id: string) => {
    const own = m.personIn(id)
    const since = own.findLastIndex(({ status }) => status !== 'safe')
    return own[since + 1]?.at ?? null
  }
  const planned = m.counted.filter((id) => m.world.people.find((one) => one.id === id)?.isPlanned)
  const safe = planned.flatMap((id) => safeAfter(id) ?? [])
  const graver = end.danger > 0 ? 'danger' : end.unknown > 0 ? 'unaccounted' : 'accounted'
  const result = end.total === 0 ? 'nobody' : graver
  return {
    end,
    result: { word: result, people: result === 'danger' ? end.danger : result === 'unaccounted' ? end.unknown : 0 },
    refusals: refusing.length,
    agreed: count(
      refusing,
      (id) => m.personAt(id, m.end).status === 'safe' || m.personIn(id).some(({ tookBack }) => tookBack),
    ),
    left: groups.sort((a, b) => a.after - b.after || (a.building < b.building ? -1 : 1)),
    once_danger: {
      people: dangers.length,
      longest: longest(dangers.map(({ inDanger }) => inDanger)),
      safe_after: longest(dangers.map(({ untilSafe }) => untilSafe)),
    },
    everyone_after: end.total > 0 && end.unknown + end.danger === 0 ? (after?.at ?? null) : null,
    refusing: refusing.filter((id) => m.counted.includes(id)),
    plans: {
      end: statesOf(planned.map((id) => m.personAt(id, m.end))),
      last_safe: safe.length > 0 ? longest(safe) : null,
    },
  }
}

/** The floors of the part, and those that no one was at. */
export function floorsOf(m: Model) {
  const rows = m.floors
    .filter(({ building }) => m.presence(building).some(({ from, to }) => from <= m.end && to >= m.start))
    .map(({ id, place }) => {
      const reports = m.reports(id)
      const own = m.sinceAnew(m.floorStood(id).filter(m.ofPart))
      const run = own.findLastIndex((one) => one.how === 'back' || !m.isClear(one.status))
      const clear = own.slice(run + 1).find((one) => one.how === 'set')
      const cleared = (nth: number) => {
        const before = own[nth - 1]
        return before?.how === 'set' && m.isClear(before.status)
      }
      const there = mergedOf(m.covers(id)).flatMap((one) => m.cut(one, [{ from: m.start, to: m.end }]))
      const people = m.counted.map((one) => m.personAt(one, m.end)).filter((one) => one.place === id)
      const covering = m.covers(id).filter((one) => m.cut(one, [{ from: m.start, to: m.end }]).length > 0)
      return {
        id,
        place,
        first_clear: reports.length > 0 ? Math.min(...reports.map(({ at }) => at)) : null,
        clear: clear?.at ?? null,
        clear_recorded: clear?.recorded ?? null,
        reopened: own.filter((one, nth) => one.how === 'set' && !m.isClear(one.status) && cleared(nth)).length,
        unseen_when_clear: longest(reports.map(({ unseen }) => unseen)),
        status: m.nameOf(last(m.floorStood(id))?.status),
        people: statesOf(people),
        wardens: new Set(covering.map(({ warden }) => warden)).size,
        first_covered: there[0]?.from ?? null,
        last_covered: (last(there)?.to ?? m.end) >= m.end ? null : (last(there)?.to ?? null),
        isNever: there.length === 0 && !m.recordedAt(id),
      }
    })
  return rows
}

export function wardensOf(m: Model) {
  const wardens = m.world.wardens.filter(({ id }) => {
    const open = m.acts.map((_, nth) => m.takesPart(id, nth))
    return open.some((is, nth) => is && (m.acts[nth + 1]?.at ?? m.end) >= m.start)
  })
  const answers = wardens.flatMap(({ id }) => {
    const wasOn = m.duty(id).some(({ from, to }) => from <= m.start && m.start < to)
    const own = m.acts.filter(
      (deed) => deed.by === id && ['on', 'away', 'start'].includes(deed.did) && deed.at >= m.start,
    )
    const cameOn = wasOn || own.some(({ did }) => did !== 'away')
    const at = wasOn ? m.start : own[0]?.at
    return at === undefined ? [] : [{ at, cameOn }]
  })
  return {
    total: wardens.length,
    reported_in: count(answers, ({ cameOn }) => cameOn),
    not_available: count(answers, ({ cameOn }) => !cameOn),
    half: rank(
      answers.map(({ at }) => at),
      0.5,
      wardens.length,
    ),
  }
}

export function serviceOf(m: Model, hasContact: boolean) {
  const part = { from: m.start, to: m.end }
  const within = (deed: Deed) => deed.at >= m.start
  const outagesBy = (what: string) =>
    mergedOf(
      ofKind(m.acts, 'outage')
        .filter((deed) => deed.what === what)
        .flatMap(({ at, until }) => m.cut({ from: at, to: until }, [part])),
    )
  const made = ofKind(m.acts, 'call').filter(within)
  const kept = made.filter(({ call }, nth) => made.findIndex((one) => one.call === call) === nth)
  const answered = kept.flatMap(({ call, at }) => {
    const answer = ofKind(m.acts, 'answer').find((one) => one.call === call)
    return answer ? [answer.at - at] : []
  })
  const instructions = ofKind(m.acts, 'instruct').filter(within)
  const confirmations = instructions.map(({ instruction, floors, by, at }) => {
    const confirmed = ofKind(m.acts, 'understand').flatMap((one) => (one.instruction === instruction ? [one.by] : []))
    const meets = (area: string[]) =>
      floors?.some((one) => area.includes(one) || area.includes(m.buildingOf(one))) ?? true
    const meant = m.world.wardens.filter(({ id, isSite, area }) => {
      const isOn = id !== by && m.duty(id).some(({ from, to }) => from <= at && at < to)
      const isElsewhere = !area.some((place) => m.presence(m.buildingOf(place)).length > 0)
      const took = floors?.some((floor) =>
        m.covers(floor).some((one) => one.warden === id && one.hasTaken && one.from <= at && at < one.to),
      )
      return isOn && (isSite || isElsewhere || meets(area) || took)
    })
    return { arrived: new Set(confirmed).size, expected: new Set([...confirmed, ...meant.map(({ id }) => id)]).size }
  })
  const records = m.acts.filter(
    (deed) => 'seen' in deed && deed.seen !== null && within(deed) && deed.at - deed.seen > 30,
  )
  const delays = records.map((deed) => deed.at - ((deed as Of<'mark'>).seen as number))
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)
  const more = ofKind(m.acts, 'more').filter(within)
  const calls = kept.length + sum(more.map((one) => one.calls))
  return {
    outages: { server: outagesBy('server'), feed: outagesBy('feed') },
    help: {
      calls,
      answered: answered.length,
      open: calls - answered.length,
      half: rank(answered, 0.5, answered.length),
    },
    instructions: {
      sent: instructions.length,
      expected: sum(confirmations.map(({ expected }) => expected)),
      arrived: sum(confirmations.map(({ arrived }) => arrived)),
    },
    late: { records: delays.length, longest: longest(delays) },
    contact: hasContact ? contactOf(m, part, outagesBy('server')) : null,
  }
}

/** When phones on duty were out of contact. What a phone recorded in a silence shows that it was not. */
function contactOf(m: Model, part: Time, outages: readonly Time[]) {
  const own = m.world.wardens.map(({ id }) => {
    const duty = m.duty(id).flatMap((one) => m.cut(one, [part]))
    const silences = ofKind(m.acts, 'silent').filter(({ by, until }) => {
      const isLast = (last(duty)?.to ?? 0) <= until
      return by === id && (isLast || m.duty(id).some(({ from, to }) => from <= until && until < to))
    })
    const heard = m.acts.flatMap(({ by, at, did }) => (by === id && did !== 'silent' && did !== 'outage' ? [at] : []))
    const gaps = silences
      .flatMap(({ at, until }) => m.cut({ from: at, to: until }, duty))
      .flatMap(({ from, to }) => {
        const edges = [from, ...heard.filter((at) => from < at && at < to), to]
        return edges.slice(1).map((edge, nth) => ({ from: edges[nth] as number, to: edge }))
      })
      .filter(({ from, to }) => to - from > 90)
    return { id, duty, gaps: mergedOf(gaps) }
  })
  const reached = mergedOf(own.flatMap(({ duty, gaps }) => cutOut(duty, gaps)))
  const nobody = cutOut(mergedOf(own.flatMap(({ gaps }) => gaps)), reached)
  const theirs = own.flatMap(({ id, gaps }) =>
    cutOut(gaps, mergedOf([...nobody, ...outages]))
      .filter(({ from, to }) => to - from > 90)
      .map((gap) => ({ ...gap, id })),
  )
  return {
    service: nobody.filter(({ from, to }) => to - from > 90),
    wardens: new Set(theirs.map(({ id }) => id)).size,
    to_the_end: new Set(theirs.filter(({ to }) => to >= m.end).map(({ id }) => id)).size,
  }
}

/** What the drill was, when it was made live. */
export function drillOf(m: Model) {
  if (m.made < 0) return null
  const then = m.people.map((id) => m.personAt(id, m.start, m.made - 1))
  const { safe, total } = statesOf(then)
  const there = m.floors.filter(({ building }) => m.presence(building).some(({ from }) => from <= m.start))
  return {
    people: { safe, total },
    floors: {
      reported: count(there, ({ id }) => m.reports(id, ({ nth }) => nth < m.made).length > 0),
      total: there.length,
    },
  }
}
