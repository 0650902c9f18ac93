import { useQueryClient } from '@tanstack/react-query'
import { Archive, ArrowDown, ArrowUp, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '#web/console/count.ts'
import { toastFailure } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Link } from '#web/ui/link.tsx'
import { type Act, staysWhile } from './open-dialog.ts'
import { type BuildingPlace, type FloorPlace, moveFloor, readPlacesAgain, type SitePlace } from './places.data.ts'
import { Retired } from './retired.tsx'

interface BuildingCardProps {
  site: SitePlace
  building: BuildingPlace
  /** By level and name, retired ones too. */
  floors: readonly FloorPlace[]
  mayChange: boolean
  onAct: (act: Act) => void
}

/** A building with its floors, in the order in which wardens see them. */
export function BuildingCard({ site, building, floors, mayChange, onAct }: BuildingCardProps) {
  const inUse = floors.filter(({ retired_at }) => retired_at === null)
  const { uid, name, code, version, people, wardens, assignments } = building
  const stays = staysWhile(site)
  return (
    <section aria-label={name} className="card grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg leading-tight font-bold wrap-anywhere">
          {name} <span className="text-sm font-normal text-muted">{code}</span>
        </h2>
        <p className="text-sm text-muted">
          {count(people, 'person', 'people')}, {count(wardens, 'warden')} today
        </p>
      </div>
      {inUse.length > 0 ? (
        <Floors {...{ site, name, inUse, mayChange, onAct }} />
      ) : (
        <p className="text-muted">This building has no floors yet.</p>
      )}
      {mayChange && (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="outline"
            onClick={() => onAct({ kind: 'floor', to: { building: uid, name, floors: inUse } })}
          >
            Add a floor
          </Button>
          <Button
            variant="outline"
            onClick={() => onAct({ kind: 'several', to: { building: uid, name, floors: inUse } })}
          >
            Add several floors
          </Button>
          <Button variant="quiet" onClick={() => onAct({ kind: 'rename', place: { uid, name, code, version } })}>
            Rename
          </Button>
          <Button
            variant="quiet"
            disabled={stays !== false}
            onClick={() => onAct({ kind: 'retire', place: { uid, name, site: site.uid, people, assignments } })}
          >
            Retire
          </Button>
          {stays && <p className="text-sm text-muted">{stays}</p>}
        </div>
      )}
      {mayChange && <Retired places={floors} />}
    </section>
  )
}

interface FloorsProps extends Pick<BuildingCardProps, 'site' | 'mayChange' | 'onAct'> {
  name: string
  inUse: readonly FloorPlace[]
}

function Floors({ site, name, inUse, mayChange, onAct }: FloorsProps) {
  const client = useQueryClient()
  const { running, run } = useOneAction<string>()
  const move = (floor: FloorPlace, to: number) =>
    run(floor.uid, async () => {
      try {
        const others = inUse.filter(({ uid }) => uid !== floor.uid)
        await moveFloor(floor.uid, others[to - 1]?.uid ?? null)
      } catch (failure) {
        toastFailure(failure)
      }
      await readPlacesAgain(client)
    })
  const rows = inUse.map((floor, at) => ({
    floor,
    acts: mayChange && (
      <FloorActs
        {...{ site, floor, onAct }}
        busy={running === floor.uid}
        isFirst={at === 0}
        isLast={at === inUse.length - 1}
        onMove={(by) => void move(floor, at + by)}
      />
    ),
  }))
  const Rows = useIsWide() ? FloorTable : FloorCards
  return <Rows name={name} rows={rows} />
}

interface FloorRowsProps {
  /** Of the building. */
  name: string
  rows: readonly { floor: FloorPlace; acts: ReactNode }[]
}

function FloorTable({ name, rows }: FloorRowsProps) {
  return (
    <table className="console-table">
      <caption className="sr-only">Floors of {name}</caption>
      <thead className="text-muted">
        <tr>
          {['Floor', 'Level', 'People', 'Wardens today'].map((head) => (
            <th key={head} scope="col" className="font-semibold">
              {head}
            </th>
          ))}
          {rows[0]?.acts && (
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ floor, acts }) => (
          <tr key={floor.uid}>
            <th scope="row">
              <FloorName floor={floor} />
            </th>
            <td className="tabular-nums">{floor.level}</td>
            <td className="tabular-nums">
              <Link to={`/console/people?place=${floor.uid}`}>{floor.people}</Link>
            </td>
            <td className="tabular-nums">{floor.wardens}</td>
            {acts && <td>{acts}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function FloorCards({ name, rows }: FloorRowsProps) {
  return (
    <ul aria-label={`Floors of ${name}`} className="grid divide-y divide-hairline">
      {rows.map(({ floor, acts }) => (
        <li key={floor.uid} className="flex flex-wrap items-center justify-between gap-x-3 py-1">
          <p className="min-w-40 flex-1 py-2 wrap-anywhere">
            <FloorName floor={floor} />
            <span className="block text-sm text-muted">
              Level {floor.level},{' '}
              <Link to={`/console/people?place=${floor.uid}`}>{count(floor.people, 'person', 'people')}</Link>,{' '}
              {count(floor.wardens, 'warden')} today
            </span>
          </p>
          {acts}
        </li>
      ))}
    </ul>
  )
}

function FloorName({ floor: { name, code, kind } }: { floor: FloorPlace }) {
  return (
    <>
      <span className="font-semibold wrap-anywhere">{name}</span> <span className="text-muted">{code}</span>
      {kind === 'area' && <span className="console-chip">Area</span>}
    </>
  )
}

interface FloorActsProps extends Pick<BuildingCardProps, 'site' | 'onAct'> {
  floor: FloorPlace
  busy: boolean
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
}

function FloorActs({ site, floor, onAct, busy, isFirst, isLast, onMove }: FloorActsProps) {
  const { uid, name, code, version, kind, people, assignments } = floor
  return (
    <div className="flex justify-end">
      <IconButton
        icon={ArrowUp}
        plain
        label={`Move down the building: ${name}`}
        disabled={isFirst || busy}
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon={ArrowDown}
        plain
        label={`Move up the building: ${name}`}
        disabled={isLast || busy}
        onClick={() => onMove(1)}
      />
      <IconButton
        icon={Pencil}
        plain
        label={`Rename ${name}`}
        onClick={() => onAct({ kind: 'rename', place: { uid, name, code, version, kind } })}
      />
      <IconButton
        icon={Archive}
        plain
        label={`Retire ${name}`}
        disabled={staysWhile(site) !== false}
        onClick={() => onAct({ kind: 'retire', place: { uid, name, site: site.uid, people, assignments } })}
      />
    </div>
  )
}
