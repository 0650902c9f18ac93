import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, createCaller } from '#kernel/client/client.ts'
import { browser } from '#web/lib/browser.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { clock, formatClock } from '#web/lib/time/server-clock.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { keepAwake } from '#web/live/wake-lock.ts'
import { BuildingCards } from '../frame/building-cards.tsx'
import { Matrix } from '../matrix/matrix.tsx'
import { NeedsList } from '../open-tasks/open-tasks-list.tsx'
import { Actions, EventChip, InCommand, Instructed, Live } from '../parts/bar.tsx'
import { Legend } from '../parts/legend.tsx'
import { sayOfAll } from '../parts/say.ts'
import { StaleBar } from '../parts/stale-bar.tsx'
import { Totals } from '../parts/totals.tsx'
import { eventSeconds, type Picture } from '../reading/board-snapshot.ts'
import { freshnessOf } from '../reading/freshness.ts'
import { useHasRoomForWall } from '../reading/room.ts'
import { WallReader, type WallShown } from './wall-reader.ts'

const timeout = 10_000

/** No session is sent, whoever is signed in at this browser. Throws ApiError. */
const callWall = createCaller(async ({ method, url, body }) => {
  const request = { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await fetch(url, { ...request, credentials: 'omit', signal: AbortSignal.timeout(timeout) })
  const json: unknown = await response.json().catch(() => undefined)
  const isOurs = typeof json === 'object' && json !== null && (response.ok || 'error' in json)
  if (!isOurs) throw new ApiError('unavailable', 'No answer', response.status)
  return { status: response.status, json }
})

interface WallProps {
  token: string
  /** The bar of a drill, above everything. */
  drillBar: (isDrill: boolean) => ReactNode
}

const nothingYet = createStore<WallShown>({
  isEnded: false,
  site: null,
  place: 'public',
  picture: null,
  isQuiet: false,
  heardAt: 0,
})

/** The board of a site without a session, with nothing to press. */
export function Wall({ token, drillBar }: WallProps) {
  const [reader, setReader] = useState<WallReader | null>(null)
  useEffect(() => {
    const made = new WallReader((seen) => callWall('POST /api/wall/board', { body: { token, ...seen } }))
    setReader(made)
    return () => made.stop()
  }, [token])
  useEffect(() => ('wakeLock' in navigator ? keepAwake() : undefined), [])
  const shown = useStore(reader?.shown ?? nothingYet)
  useReloadAtRest(shown)
  const isDrill = shown.picture?.board.event.kind === 'drill'
  return (
    <>
      {drillBar(isDrill)}
      {shown.isEnded && <Said>This screen link no longer works.</Said>}
      {!shown.isEnded && shown.site === null && <Said>Loading...</Said>}
      {!shown.isEnded &&
        shown.site !== null &&
        !shown.picture &&
        (shown.isQuiet ? <Hidden /> : <NoEvent site={shown.site} heardAt={shown.heardAt} />)}
      {shown.picture && <WallBoard picture={shown.picture} isPublic={shown.place === 'public'} />}
    </>
  )
}

const Said = ({ children }: { children: ReactNode }) => (
  <main aria-live="polite" className="bd bd-wall-rest">
    <h1>{children}</h1>
  </main>
)

/** What a gunman may read, too: no figure but the clock. */
function Hidden() {
  const now = useNow(1000)
  return (
    <main className="bd bd-wall-rest">
      <h1>Lockdown. Stay where you are. Wait for the police.</h1>
      <p className="bd-wall-clock">{formatClock(now)}</p>
    </main>
  )
}

/** Milliseconds without an answer after which the screen no longer says 'Connected'. */
const lostAfter = 15_000

/** It is alive before an event begins, and says so. */
function NoEvent({ site, heardAt }: { site: string; heardAt: number }) {
  const now = useNow(1000)
  const isLost = now - heardAt >= lostAfter
  return (
    <main className="bd bd-wall-rest">
      <h1>{site}</h1>
      <p className="bd-wall-clock">
        {formatClock(now)}
        <small>{clock.nameAt(now)}</small>
      </p>
      <p className="bd-wall-none">No Current Events</p>
      <p className="bd-live" role="status" data-freshness={isLost ? 'late' : 'fresh'}>
        <i aria-hidden />
        {isLost ? `No connection since ${formatClock(heardAt)}` : 'Connected'}
      </p>
    </main>
  )
}

const mostNeeds = 9

function WallBoard({ picture, isPublic }: { picture: Picture; isPublic: boolean }) {
  const time = useNow(1000)
  const isDesk = useHasRoomForWall()
  const freshness = freshnessOf(picture, time)
  // ages are in minutes: the matrix looks at the clock every 5 s
  const now = Math.floor(eventSeconds(picture, time) / 5) * 5
  return (
    <main className="bd bd-wall" data-desk={isDesk || undefined} data-freshness={freshness}>
      <header className="bd-top">
        <h1 className="sr-only">Command Board</h1>
        <EventChip picture={picture} />
        <span className="bd-told">
          <InCommand picture={picture} />
          <Instructed picture={picture} />
        </span>
        <span className="bd-grow" />
        <Live picture={picture} freshness={freshness} />
      </header>
      <div className="bd-notes">
        <Actions picture={picture} />
        <StaleBar picture={picture} freshness={freshness} />
      </div>
      <Totals picture={picture} now={now} />
      {isDesk && (
        <>
          <div className="bd-left">
            <NeedsList picture={picture} now={now} most={mostNeeds} isWall />
          </div>
          <Matrix picture={picture} now={now} wish={null} />
          <Legend say={sayOfAll(picture)} isPublic={isPublic} />
        </>
      )}
      {!isDesk && (
        <>
          <NeedsList picture={picture} now={now} most={mostNeeds} isWall />
          <BuildingCards picture={picture} now={now} />
        </>
      )}
    </main>
  )
}

/** Milliseconds. A screen that hangs for months takes the newest version of its page by itself. */
const eachHalfDay = 12 * 60 * 60 * 1000

/** Loads the page anew twice a day, while the server answers and no event runs. */
function useReloadAtRest({ site, picture, isEnded, heardAt }: WallShown) {
  const openedAt = useRef(Date.now())
  useEffect(() => {
    const isAtRest = site !== null && picture === null && !isEnded
    if (isAtRest && heardAt - openedAt.current > eachHalfDay) void browser.reloadWhenReachable()
  }, [site, picture, isEnded, heardAt])
}
