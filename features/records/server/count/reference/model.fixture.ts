import type { Deed, Of, World } from './deeds.fixture.ts'

/** How someone or something stood from a moment on. `nth`: by which deed. */
export interface Stood {
  at: number
  nth: number
  status: string | null
  place: string
  refused: boolean
  left: boolean
  tookBack?: boolean
}
export interface FloorStood {
  at: number
  nth: number
  status: string
  recorded: number
  /** Anew: no earlier report counts. Released: a status of the release, which leaves what the floor was done with. */
  how: 'set' | 'back' | 'anew' | 'released'
}
interface Time {
  from: number
  to: number
}

export type Model = ReturnType<typeof modelOf>

/** What should be counted of what was done. Nothing is kept: each question goes through the deeds once more. */
export function modelOf(world: World, deeds: readonly Deed[]) {
  const made = deeds.findIndex(({ did }) => did === 'live')
  const last = deeds.findIndex(({ did }) => did === 'end')
  const [start, end] = [made < 0 ? 0 : (deeds[made]?.at ?? 0), deeds[last]?.at ?? 0]
  const acts = deeds.slice(0, last)
  const floors = world.buildings.flatMap(({ id, name, floors: own }) =>
    own.map((floor) => ({ ...floor, building: id, place: `${name} - ${floor.name}` })),
  )
  const buildingOf = (place: string) => floors.find(({ id }) => id === place)?.building ?? place
  const has = (list: readonly string[], place: string) => list.includes(place) || list.includes(buildingOf(place))

  /** The buildings in the event after so many deeds. */
  const buildingsAfter = (nth: number) => {
    const there = new Set<string>()
    for (const deed of acts.slice(0, nth + 1)) {
      if (deed.did === 'start' || deed.did === 'add') for (const one of deed.buildings) there.add(one)
      if (deed.did === 'remove') for (const one of deed.buildings) there.delete(one)
    }
    return there
  }
  /** What the people of a building do after so many deeds. `stood`: before a release, which is no search. */
  const actionOf = (building: string, nth: number, stood = false) => {
    let action = world.begins
    for (const deed of acts.slice(0, nth + 1)) {
      if (!('buildings' in deed) || !deed.buildings.includes(building)) continue
      if (deed.did === 'start' || deed.did === 'add') action = world.begins
      if (deed.did === 'change' && !(stood && deed.action === 'release')) action = deed.action
    }
    return action
  }
  const leaves = (action: string) => ['evacuate', 'move', 'release'].includes(action)
  const groupOf = (action: string) => (leaves(action) ? null : action)
  const firstOf = (action: string) => world.statuses.find((one) => one.action === groupOf(action))?.id ?? ''
  const changed = acts.flatMap((deed) => (deed.did === 'change' && deed.action !== 'release' ? deed.action : []))
  const actions = new Set([world.begins, ...changed].map(groupOf))
  /** A warden with a participation after so many deeds. Joining is asked when buildings join, leaving when they leave. */
  const takesPart = (id: string, nth: number) => {
    const {
      takesPart: may,
      isSite,
      isManager,
      area,
    } = world.wardens.find((one) => one.id === id) as World['wardens'][number]
    let is = false
    for (const [n, deed] of acts.slice(0, nth + 1).entries()) {
      if (deed.did !== 'start' && deed.did !== 'add' && deed.did !== 'remove') continue
      const meets = may && (isSite || isManager || area.some((place) => buildingsAfter(n).has(buildingOf(place))))
      is = deed.did === 'remove' ? is && meets : is || meets
    }
    return is
  }

  /** How a person stood, deed by deed. */
  const personStood = (id: string): Stood[] => {
    const visit = acts.find((deed) => deed.did === 'visit' && deed.person === id) as Of<'visit'> | undefined
    const home = visit?.home ?? world.people.find((one) => one.id === id)?.home ?? ''
    const wardens = world.wardens.filter(({ person }) => person === id)
    const stood: Stood[] = [{ at: 0, nth: -1, status: null, place: home, refused: false, left: false }]
    for (const [nth, deed] of acts.entries()) {
      const now = stood.at(-1) as Stood
      const go = (change: Partial<Stood>, seen = deed.at) => {
        const from = made >= 0 && nth >= made ? start : 0
        const { tookBack: _, ...rest } = now
        stood.push({ ...rest, ...change, nth, at: Math.max(from, now.at, Math.min(seen, deed.at)) })
      }
      const isIn = now.status !== null && !now.left
      const isWarden = (n: number) => wardens.some((one) => takesPart(one.id, n))
      const begins = { status: 'unknown', place: home, refused: false, left: false }
      if (deed.did === 'start' || deed.did === 'add') {
        if (!isIn && deed.buildings.includes(buildingOf(home)) && !isWarden(nth) && (!visit || visit.at <= deed.at))
          go(begins)
        else if (isIn && isWarden(nth) && now.status !== 'danger' && !now.refused) go({ status: null })
      } else if (deed.did === 'visit' && deed.person === id) {
        if (buildingsAfter(nth).has(buildingOf(home))) go(begins)
      } else if (deed.did === 'remove') {
        const returns = buildingsAfter(nth).has(buildingOf(home))
        if (isIn && has(deed.buildings, now.place)) go(returns ? { place: home } : { left: true })
        else if (!isIn && returns && isWarden(nth - 1) && !isWarden(nth)) go(begins)
      } else if (deed.did === 'live') {
        if (now.left) go({ status: null, left: false, refused: false })
        else if (isIn) go({ status: 'unknown', refused: false })
      } else if (deed.did === 'change' && deed.action !== 'release') {
        const turns = deed.buildings.some((one) => leaves(actionOf(one, nth - 1)) !== leaves(deed.action))
        const isSafe = deed.again && now.status === 'safe'
        if (isIn && has(deed.buildings, now.place) && (isSafe || (turns && now.refused)))
          go({ status: isSafe ? 'unknown' : now.status, refused: now.refused && !turns })
      } else if (deed.did === 'mark' && deed.person === id && deed.stood)
        go({ status: deed.status, place: deed.place }, deed.seen ?? deed.at)
      else if (deed.did === 'refuse' && deed.person === id)
        go({ refused: deed.refuses, ...(!deed.refuses && { tookBack: true }) }, deed.seen ?? deed.at)
    }
    return stood
  }
  const people = [
    ...world.people.map(({ id }) => id),
    ...acts.flatMap((deed) => (deed.did === 'visit' ? [deed.person] : [])),
  ]
  const stood = new Map(people.map((id) => [id, personStood(id)]))
  const personAt = (id: string, at: number, nth = deeds.length) =>
    (stood.get(id) as Stood[]).findLast((one) => one.at < at || (one.at === at && one.nth <= nth)) as Stood
  const ofPart = (one: { nth: number }) => made < 0 || one.nth >= made
  const personIn = (id: string) => (stood.get(id) as Stood[]).filter(ofPart)
  const counted = people.filter((id) => personAt(id, end).status !== null)

  /** What was set at a floor, and when all were set back. */
  const floorTold = (id: string): FloorStood[] => {
    const all: FloorStood[] = []
    for (const [nth, deed] of acts.entries()) {
      const last = all.findLast(({ how }) => how !== 'released')
      const from = Math.max(made >= 0 && nth >= made ? start : 0, last?.at ?? 0)
      const [building, status] = [buildingOf(id), firstOf(actionOf(buildingOf(id), nth, true))]
      const changes = deed.did === 'change' && deed.action !== 'release'
      const begins = deed.did === 'start' || deed.did === 'add' || changes
      if (deed.did === 'live' || (begins && deed.buildings.includes(building)))
        all.push({ at: Math.max(from, deed.at), nth, status, recorded: deed.at, how: changes ? 'anew' : 'back' })
      if (deed.did !== 'floor' || deed.floor !== id || !deed.stood) continue
      const how = world.statuses.find((one) => one.id === deed.status)?.action === 'release' ? 'released' : 'set'
      const at = Math.max(from, Math.min(deed.seen ?? deed.at, deed.at))
      all.push({ at, nth, status: deed.status, recorded: deed.at, how })
    }
    return all
  }
  const floorStood = (id: string) => floorTold(id).filter(({ how }) => how !== 'released')
  const isClear = (status: string) => world.statuses.some((one) => one.id === status && one.isClear)
  const nameOf = (status: string | undefined) => world.statuses.find((one) => one.id === status)?.name ?? ''
  const hasClear = world.statuses.some(({ isClear, action }) => isClear && actions.has(action))
  /** What counts: since people were last told to do something else. */
  const sinceAnew = (all: FloorStood[]) => all.slice(all.findLastIndex(({ how }) => how === 'anew') + 1)
  /** Each moment of a report of clear, with how many of its people were unknown or in danger. */
  const reports = (id: string, isOf = ofPart) =>
    sinceAnew(floorStood(id).filter(isOf))
      .filter((one) => one.how === 'set' && isClear(one.status))
      .map((one) => ({
        ...one,
        unseen: people.filter((person) => {
          const { status, place, left } = personAt(person, one.at, one.nth)
          return place === id && !left && (status === 'unknown' || status === 'danger')
        }).length,
      }))

  /** Times between deeds that begin and end something, the last one open. */
  const times = (
    begins: (deed: Deed, nth: number) => boolean,
    ends: (deed: Deed, nth: number) => boolean,
    open = Infinity,
  ) => {
    const all: Time[] = []
    for (const [nth, deed] of acts.entries()) {
      const now = all.at(-1)
      if (now?.to === open && ends(deed, nth)) now.to = deed.at
      else if (now?.to !== open && begins(deed, nth)) all.push({ from: deed.at, to: open })
    }
    return all
  }
  const presence = (building: string) =>
    times(
      (deed) => (deed.did === 'start' || deed.did === 'add') && deed.buildings.includes(building),
      (deed) => deed.did === 'remove' && deed.buildings.includes(building),
    )
  const duty = (id: string) =>
    times(
      (deed) => deed.by === id && (deed.did === 'on' || deed.did === 'start'),
      (deed, nth) =>
        (deed.by === id && deed.did === 'off') ||
        (deed.did === 'remove' && takesPart(id, nth - 1) && !takesPart(id, nth)),
    )
  const cut = (time: Time, others: readonly Time[]) =>
    others
      .map(({ from, to }) => ({ from: Math.max(from, time.from), to: Math.min(to, time.to) }))
      .filter(({ from, to }) => from < to)
  /** How the person stood whom the deed recorded. */
  const personOf = (deed: Deed, nth: number) =>
    deed.did === 'mark' || deed.did === 'refuse' ? stood.get(deed.person)?.find((one) => one.nth === nth) : undefined
  const placeOf = (deed: Deed, { place }: Stood) => (deed.did === 'mark' ? deed.named : place)
  /** When each warden covered the floor. */
  const covers = (id: string) =>
    world.wardens.flatMap(({ id: warden, area, isSite, isManager }) => {
      const there = duty(warden).flatMap((one) => cut(one, presence(buildingOf(id))))
      const from = (at: number, seen: number) =>
        there
          .filter((one) => one.from <= at && at <= one.to)
          .slice(-1)
          .map(({ from, to }) => ({ from: Math.max(from, seen), to }))
      const own = !isSite && has(area, id) ? there : []
      const roams = acts.flatMap((deed, nth) => {
        if ((!isSite && !isManager) || deed.by !== warden) return []
        if (deed.did === 'floor' && deed.floor === id && deed.stood)
          return from(deed.at, floorTold(id).find((one) => one.nth === nth)?.at ?? 0)
        const then = personOf(deed, nth)
        return then && placeOf(deed, then) === id ? from(deed.at, then.at) : []
      })
      const took = acts.flatMap((deed, nth) => {
        if (deed.did !== 'take' || deed.by !== warden || !has([deed.floor], id)) return []
        const given = acts.slice(nth).find((one) => one.did === 'give' && one.by === warden && one.floor === deed.floor)
        return from(deed.at, deed.at).map((one) => ({ from: one.from, to: Math.min(one.to, given?.at ?? Infinity) }))
      })
      return [...own, ...roams, ...took]
        .map((one) => ({ ...one, warden, hasTaken: took.includes(one) }))
        .filter(({ from, to }) => from < to)
    })
  const recordedAt = (id: string) =>
    acts.some((deed, nth) => {
      if (!ofPart({ nth })) return false
      if (deed.did === 'floor') return deed.floor === id && deed.stood
      const then = personOf(deed, nth)
      return then !== undefined && placeOf(deed, then) === id
    })

  return {
    world,
    acts,
    made,
    start,
    end,
    floors,
    people,
    counted,
    stood,
    isClear,
    nameOf,
    hasClear,
    buildingOf,
    buildingsAfter,
    cut,
    personAt,
    personIn,
    floorStood,
    sinceAnew,
    reports,
    actionOf,
    leaves,
    changed,
    ofPart,
    presence,
    duty,
    covers,
    recordedAt,
    takesPart,
  }
}
