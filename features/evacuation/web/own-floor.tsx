import { useQuery } from '@tanstack/react-query'
import { Accessibility, ChevronRight, ClipboardCheck } from 'lucide-react'
import { useAuth } from '#web/session/stored-auth.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { FloorData } from '../calls/evacuation.ts'
import { floorDataQuery } from './floor-evacuation.data.ts'

/** The way to the own floor, and who there needs help to get out. */
export function OwnFloor() {
  const auth = useAuth()
  return auth?.on_duty && auth.module_access.Module_Floor_Evacuation ? <Floor /> : null
}

function Floor() {
  const { data } = useQuery(floorDataQuery)
  const floor = data && !('error' in data) ? data : undefined
  return (
    <>
      <Link
        to="/floor/evacuation"
        className={`${buttonClass('blue', true)} min-h-18 justify-start px-3 text-left text-lg`}
      >
        <ClipboardCheck aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1">
          floor evacuation
          {floor && (
            <span className="block text-base font-semibold">
              {nameOf(floor)}, {counted(floor.pagination.total)}
            </span>
          )}
        </span>
        <ChevronRight aria-hidden className="shrink-0 max-[360px]:hidden" />
      </Link>
      {floor && floor.peep.length > 0 && <NeedHelp people={floor.peep} place={nameOf(floor)} />}
    </>
  )
}

const counted = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`

/** The floor that the page opens; a building without floors has its own name. */
function nameOf({ input, floors, buildings }: FloorData): string {
  const place = floors.find(({ id }) => id === input.floor) ?? buildings.find(({ id }) => id === input.building)
  return place?.name ?? ''
}

function NeedHelp({ people, place }: { people: FloorData['peep']; place: string }) {
  const count = people.length
  return (
    <section aria-labelledby="need-help" className="card border-l-8 border-l-danger">
      <h2 id="need-help" className="flex items-center gap-2 text-lg leading-snug font-bold">
        <Accessibility aria-hidden className="shrink-0" />
        {count} {count === 1 ? 'needs' : 'need'} assistance on {place}
      </h2>
      <p className="text-muted">{people.map(({ name }) => name).join(', ')}</p>
    </section>
  )
}
