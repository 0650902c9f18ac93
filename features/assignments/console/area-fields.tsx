import { useQuery } from '@tanstack/react-query'
import type { BuildingUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { placesQuery, type RoleRow } from './wardens.data.ts'

type PlaceUid = BuildingUid | FloorUid

interface PlacesFieldProps {
  site: SiteUid
  domain: RoleRow['domain']
  chosen: readonly PlaceUid[]
  onChange: (chosen: PlaceUid[]) => void
  error: string | undefined
  /** 'Building - Floor' of the person to whom the role is offered. */
  own?: string | null
}

/** The places of a site that a role of that domain may cover, by the names that wardens see. */
export function usePlaceOptions(
  site: SiteUid | undefined,
  domain: RoleRow['domain'] | undefined,
): { uid: PlaceUid; name: string }[] {
  const { data } = useQuery(placesQuery(site))
  const buildings = (data?.buildings ?? []).filter(({ retired_at }) => retired_at === null)
  const names = new Map(buildings.map(({ uid, name }) => [uid, name]))
  const kind = domain === 'Area' ? 'area' : 'floor'
  const inUse = (data?.floors ?? []).filter((floor) => floor.retired_at === null)
  const floors = buildings.flatMap(({ uid }) => inUse.filter((floor) => floor.building === uid))
  const ofKind = floors.filter((floor) => floor.kind === kind)
  const shown = (ofKind.length > 0 ? ofKind : floors).map(({ uid, building, name }) => ({
    uid: uid as PlaceUid,
    name: `${names.get(building)} - ${name}`,
  }))
  return domain === 'Building' ? buildings.map(({ uid, name }) => ({ uid: uid as PlaceUid, name })) : shown
}

/** The places of a role by its domain: buildings, floors, areas, or the whole site. */
export function PlacesField({ site, domain, chosen, onChange, error, own = null }: PlacesFieldProps) {
  const options = usePlaceOptions(site, domain)
  if (domain === 'Site') return <p className="text-muted">The role covers the whole site.</p>
  const toggle = (uid: PlaceUid, isOn: boolean) =>
    onChange(isOn ? [...chosen, uid] : chosen.filter((one) => one !== uid))
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Places</legend>
      <div className="console-picks">
        {options.map(({ uid, name }) => (
          <Checkbox
            key={uid}
            label={name === own ? `${name} (their own floor)` : name}
            checked={chosen.includes(uid)}
            onChange={(isOn) => toggle(uid, isOn)}
          />
        ))}
      </div>
      {error && <p className="text-sm text-danger-ink">{error}</p>}
    </fieldset>
  )
}

interface DaysFieldsProps {
  from: string
  to: string
  onFrom: (from: string) => void
  onTo: (to: string) => void
  errorOf: (field: string) => string | undefined
}

export function DaysFields({ from, to, onFrom, onTo, errorOf }: DaysFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField label="From" type="date" value={from} onChange={onFrom} error={errorOf('from')} />
      <TextField label="To" type="date" value={to} onChange={onTo} error={errorOf('to')} />
    </div>
  )
}
