import { type FocusEvent, memo, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { formatCount } from '#web/lib/counts.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import type { Need, NeedKind } from '../../open-tasks.ts'
import { age } from '../parts/ages.ts'
import { Sign } from '../parts/sign.tsx'
import type { Picture } from '../reading/board-snapshot.ts'
import { needPlace, needSigns, needWords } from './open-task-words.ts'
import { isOpenTo, needsIn } from './open-tasks-in.ts'
import { type NeedShown, type NeedsShown, nextShown, noNeeds } from './open-tasks-shown.ts'

interface NeedsListProps {
  picture: Picture
  /** Seconds since the event began. */
  now: number
  /** Left out on a wall. */
  onOpen?: (need: Need) => void
  /** Entries that are shown; the rest is behind 'Show all {n}', on a wall 'and {n} more'. */
  most?: number
  isWall?: boolean
}

/** What needs someone, worst first. */
export function NeedsList({ picture, now, onOpen, most = Number.POSITIVE_INFINITY, isWall = false }: NeedsListProps) {
  const [isAll, setAll] = useState(false)
  const needs = needsIn(picture)
  const list = useRef<HTMLElement>(null)
  const { shown, holding, showWaiting } = useHeld(needs, list)
  const items = isAll ? shown.items : shown.items.slice(0, most)
  const hidden = shown.items.length - items.length
  const { more } = picture.board
  const newest = useRef(onOpen)
  useLayoutEffect(() => {
    newest.current = onOpen
  })
  const open = useCallback((need: Need) => newest.current?.(need), [])
  return (
    <section ref={list} aria-labelledby="bd-needs" className="bd-needs bd-card" {...(onOpen && holding)}>
      <h2 id="bd-needs">
        Needs you <span>{needs.length === 0 ? '' : `${formatCount(needs.length)}${more ? '+' : ''}, worst first`}</span>
      </h2>
      {shown.waiting > 0 && (
        <button type="button" className="bd-waiting" onClick={showWaiting}>
          {`${shown.waiting} new, show`}
        </button>
      )}
      {needs.length === 0 && shown.items.length === 0 && <p className="bd-nothing">Nothing needs you now.</p>}
      <ol>
        {items.map(({ need, isDone }) => (
          <Entry
            key={need.key}
            need={need}
            isDone={isDone}
            {...placeOf(need, picture)}
            words={needWords(need, picture, now)}
            since={age(now - need.since)}
            onOpen={onOpen && open}
          />
        ))}
      </ol>
      {hidden > 0 && isWall && <p className="bd-more">{`and ${hidden} more`}</p>}
      {hidden > 0 && !isWall && (
        <button type="button" className="bd-more" onClick={() => setAll(true)}>
          {`Show all ${formatCount(shown.items.length)}`}
        </button>
      )}
    </section>
  )
}

/** The name of a building may be cut short, the floor is read whole. */
function placeOf(need: Need, picture: Picture) {
  const { building, floor } = needPlace(need, picture)
  return { building, floor: floor === undefined ? '' : ` · ${floor}` }
}

interface EntryProps extends NeedShown {
  building: string
  floor: string
  words: string
  since: string
  onOpen: ((need: Need) => void) | undefined
}

/** Of hundreds a reading changes a few: those alone are drawn anew. */
const isSameEntry = ({ need: a, ...before }: EntryProps, { need: b, ...after }: EntryProps) =>
  a.kind === b.kind &&
  a.building === b.building &&
  a.floor === b.floor &&
  a.calls?.uid === b.calls?.uid &&
  (Object.keys(before) as (keyof typeof before)[]).every((key) => before[key] === after[key])

const Entry = memo(function Entry({ need, isDone, building, floor, words, since, onOpen }: EntryProps) {
  const mayReadNames = useAuth()?.module_access.Module_Evacuee_Safety === true
  const open = !isDone && isOpenTo(need, mayReadNames) ? onOpen : undefined
  const body = (
    <>
      <span className={`bd-kind bd-kind-${need.kind}`}>
        <Sign name={needSigns[need.kind]} />
      </span>
      <b title={`${building}${floor}`}>
        <span>{building}</span>
        <span>{floor}</span>
      </b>
      <span className="bd-since">{since}</span>
      <span className="bd-what">{words}</span>
    </>
  )
  return (
    <li data-kind={need.kind} data-done={isDone || undefined}>
      {open ? (
        <button type="button" className="bd-entry" onClick={() => open(need)}>
          {body}
        </button>
      ) : (
        <div className="bd-entry">
          {body}
          {isDone && <span className="sr-only">Done</span>}
        </div>
      )}
      {open && mayReadNames && <Way need={need} />}
    </li>
  )
}, isSameEntry)

const ways: Partial<Record<NeedKind, { to: `/event/people?tab=${string}`; words: string }>> = {
  contradiction: { to: '/event/people?tab=contradictions', words: 'Resolve' },
  call: { to: '/event/people?tab=reports', words: 'Answer' },
}

/** The page where it is settled, for those who may read names, with the entry open. */
function Way({ need: { kind, key, calls } }: { need: Need }) {
  const way = ways[kind]
  if (!way) return null
  return (
    <Link to={`${way.to}&open=${encodeURIComponent(calls?.uid ?? key)}`} className="bd-button bd-resolve">
      {way.words}
    </Link>
  )
}

/** The list moves with a reading only, and not while pointer or focus is in it. */
function useHeld(needs: readonly Need[], list: RefObject<HTMLElement | null>) {
  const isHeld = useRef({ pointer: false, focus: false })
  const [state, setState] = useState<{ of: readonly Need[]; shown: NeedsShown }>({ of: [], shown: noNeeds })
  // React tells no blur of a focused button that it takes out
  const held =
    isHeld.current.pointer || (isHeld.current.focus && list.current?.contains(document.activeElement) === true)
  const shown = state.of === needs ? state.shown : nextShown(state.shown, needs, held)
  if (state.of !== needs) setState({ of: needs, shown })
  const release = () => setState({ of: needs, shown: nextShown(shown, needs, false) })
  const hold = (how: 'pointer' | 'focus', on: boolean) => {
    isHeld.current[how] = on
    if (!isHeld.current.pointer && !isHeld.current.focus && shown.waiting > 0) release()
  }
  return {
    shown,
    showWaiting: release,
    holding: {
      onPointerEnter: () => hold('pointer', true),
      onPointerLeave: () => hold('pointer', false),
      onFocus: () => hold('focus', true),
      onBlur: (event: FocusEvent) => hold('focus', event.currentTarget.contains(event.relatedTarget)),
    },
  }
}
