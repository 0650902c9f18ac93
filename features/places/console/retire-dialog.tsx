import { useState } from 'react'
import type { PlaceUid, SiteUid } from '#kernel/ids.ts'
import { ConfirmAct } from '#web/console/confirm-act.tsx'
import { count } from '#web/console/count.ts'
import type { ConsolePath } from '#web/pages/pages.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { MovePeopleDialog } from './move-people-dialog.tsx'
import { retire, sitesQuery } from './places.data.ts'

export interface Retiring {
  uid: PlaceUid
  name: string
  site: SiteUid
  people: number
  assignments: number
  documents?: number
}

/** Each reason that keeps the place in use, with its way out; else the question. */
export function RetireDialog({ place, onClose }: { place: Retiring; onClose: () => void }) {
  const { uid, site, people, assignments, documents = 0 } = place
  const [isMoving, setIsMoving] = useState(false)
  const ways: { text: string; to: ConsolePath | null; why: string }[] = []
  if (people > 0)
    ways.push({
      text: `Move ${count(people, 'person', 'people')} to…`,
      // the floors of a site go with it
      to: uid === site ? `/console/people?place=${uid}` : null,
      why: 'They would not be counted anywhere.',
    })
  if (assignments > 0)
    ways.push({
      text: `Change or withdraw ${count(assignments, 'assignment')}`,
      to: `/console/wardens?site=${site}`,
      why: 'They have not ended yet.',
    })
  if (documents > 0)
    ways.push({
      text: `Remove ${count(documents, 'document')} from the site`,
      to: '/console/lists/documents',
      why: 'Wardens use them.',
    })
  if (isMoving) return <MovePeopleDialog place={place} onClose={onClose} />
  return ways.length > 0 ? (
    <Dialog open onClose={onClose} title={`${place.name} is still in use`}>
      <ul className="grid gap-3">
        {ways.map(({ text, to, why }) => (
          <li key={text}>
            {to ? (
              <Link to={to} className="console-link">
                {text}
              </Link>
            ) : (
              <button type="button" className="console-link" onClick={() => setIsMoving(true)}>
                {text}
              </button>
            )}
            <p className="text-sm text-muted">{why}</p>
          </li>
        ))}
      </ul>
      <div className="console-end">
        <Button variant="quiet" data-autofocus onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  ) : (
    <Question place={place} onClose={onClose} />
  )
}

function Question({ place, onClose }: { place: Retiring; onClose: () => void }) {
  return (
    <ConfirmAct
      title={`Retire ${place.name}?`}
      confirm="Retire"
      act={() => retire(place.uid)}
      done="Retired."
      again={[sitesQuery.queryKey]}
      onClose={onClose}
    >
      <p>It no longer appears in lists or new events. Past events still show it. You can restore it.</p>
    </ConfirmAct>
  )
}
