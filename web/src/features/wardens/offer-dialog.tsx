import type { BuildingUid, FloorUid, PersonUid, SiteUid, WardenRoleUid } from '@evac/contract/ids.ts'
import { limits } from '@evac/contract/limits.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { count } from '../../console/count.ts'
import { FormDialog } from '../../console/form-dialog.tsx'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { DaysFields, PlacesField } from './area-fields.tsx'
import { offer, readWardensAgain, rolesQuery, sitesQuery, staffQuery } from './wardens.data.ts'

/** What a cell of the coverage has chosen already. */
export interface Preset {
  site?: SiteUid
  role?: WardenRoleUid
  places?: (BuildingUid | FloorUid)[]
  from?: string
}

interface Person {
  uid: PersonUid
  name: string
}

const mostPeople = 50
const localDay = (at: Date) =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
/** PPL-25: from today, for a year. */
function yearFrom(from: string): string {
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number)
  return localDay(new Date(year + 1, month - 1, day))
}

/** PPL-25: offers a role to people, or enters it as accepted. */
export function OfferDialog({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const client = useQueryClient()
  const { data: sites = [] } = useQuery(sitesQuery)
  const { data: roles } = useQuery(rolesQuery)
  const [people, setPeople] = useState<Person[]>([])
  const [roleUid, setRole] = useState(preset.role)
  const [chosenSite, setSite] = useState(preset.site)
  const [places, setPlaces] = useState(preset.places ?? [])
  const [from, setFrom] = useState(preset.from ?? localDay(new Date()))
  const [to, setTo] = useState(yearFrom(preset.from ?? localDay(new Date())))
  const [accepted, setAccepted] = useState(false)
  const [tell, setTell] = useState(true)
  const inUse = roles?.rows.filter(({ in_use }) => in_use) ?? []
  const role = inUse.find(({ uid }) => uid === roleUid)
  const site = chosenSite ?? (sites.length === 1 ? sites[0]?.uid : undefined)
  const save = async () => {
    if (people.length === 0 || !role || !site) throw new Error('the button is disabled')
    const area = role.domain === 'Site' ? [] : places
    await offer({
      ...{ people: people.map(({ uid }) => uid), role: role.uid, site, places: area, from, to, accepted },
      tell: tell && !accepted,
    })
    await readWardensAgain(client)
  }
  return (
    <FormDialog
      title="Offer a role"
      action={accepted ? 'Enter as accepted' : 'Offer'}
      isReady={people.length > 0 && role !== undefined && site !== undefined}
      done={`Offered to ${count(people.length, 'person', 'people')}.`}
      fields={['people', 'from', 'to', 'places']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <PeoplePicker people={people} onChange={setPeople} />
          <SelectField
            label="Role"
            value={roleUid ?? ''}
            placeholder="Choose"
            options={inUse.map(({ uid, name, domain }) => ({ value: uid, label: `${name} (${domain})` }))}
            onChange={(uid) => {
              if (inUse.find((one) => one.uid === uid)?.domain !== role?.domain) setPlaces([])
              setRole(uid)
            }}
          />
          <SelectField
            label="Site"
            value={site ?? ''}
            placeholder="Choose"
            options={sites.map(({ uid, name }) => ({ value: uid, label: name }))}
            onChange={(uid) => {
              setPlaces([])
              setSite(uid)
            }}
          />
          {role && site && (
            <PlacesField
              {...{ site, domain: role.domain, chosen: places, onChange: setPlaces }}
              error={errorOf('places')}
            />
          )}
          <DaysFields {...{ from, to, errorOf }} onFrom={setFrom} onTo={setTo} />
          <Checkbox label="They have agreed already." checked={accepted} onChange={setAccepted} />
          {!accepted && <Checkbox label="Tell them by e-mail or text" checked={tell} onChange={setTell} />}
        </>
      )}
    </FormDialog>
  )
}

function PeoplePicker({ people, onChange }: { people: Person[]; onChange: (people: Person[]) => void }) {
  const [text, setText] = useState('')
  const asked = useDebounced(text.trim(), limits.searchDebounce)
  const { data } = useQuery(staffQuery(asked))
  const found = (asked && text ? (data?.rows ?? []) : []).filter(({ uid }) => people.every((one) => one.uid !== uid))
  return (
    <div className="grid gap-2">
      <ul aria-label="Chosen people" className="flex flex-wrap gap-2 empty:hidden">
        {people.map((person) => (
          <li key={person.uid}>
            <Button
              variant="quiet"
              aria-label={`Take out ${person.name}`}
              onClick={() => onChange(people.filter(({ uid }) => uid !== person.uid))}
            >
              {person.name} ×
            </Button>
          </li>
        ))}
      </ul>
      {people.length < mostPeople && <SearchBox label="Search people" value={text} onChange={setText} />}
      <ul aria-label="People" className="console-picks grid empty:hidden">
        {found.map(({ uid, first_name, last_name, place }) => (
          <li key={uid}>
            <button
              type="button"
              className="btn w-full justify-start text-left console-choice font-normal"
              onClick={() => {
                onChange([...people, { uid, name: `${first_name} ${last_name}` }])
                setText('')
              }}
            >
              <span className="min-w-0">
                <span className="block font-semibold">
                  {first_name} {last_name}
                </span>
                <span className="block text-sm text-muted">{place ?? 'No floor'}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {asked && text && data?.rows.length === 0 && (
        <p className="text-sm text-muted">Nobody on the staff is called so.</p>
      )}
    </div>
  )
}
