import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SignInOrigins } from '#features/authority/console/sign-in-origins.tsx'
import type { BuildingUid, FloorUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { count } from '#web/console/count.ts'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { type ChosenPerson, PeoplePicker } from '#web/console/people-picker.tsx'
import { dayIn } from '#web/console/zone-time.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { DaysFields, PlacesField, usePlaceOptions } from './area-fields.tsx'
import { offer, type RoleRow, readWardensAgain, rolesQuery, sitesQuery, startsEvents } from './wardens.data.ts'

/** What a cell of the coverage has chosen already. */
export interface Preset {
  site?: SiteUid
  role?: WardenRoleUid
  places?: (BuildingUid | FloorUid)[]
  from?: string
  people?: ChosenPerson[]
  /** How many were chosen who can hold no role. */
  left?: number
}

const mostPeople = 50
/** The same day of the next year. */
function yearFrom(from: string): string {
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number)
  return new Date(Date.UTC(year + 1, month - 1, day)).toISOString().slice(0, 10)
}

/** What a role covers, and whether its wardens start events. */
const labelOf = (role: RoleRow) => `${role.name} (${role.domain}${startsEvents(role) ? ', may start an event' : ''})`

interface OfferDialogProps {
  preset: Preset
  onOffered?: () => void
  onClose: () => void
}

/** Whom, which role, where and when: what is chosen, what follows from it, and what stands in where no one has chosen. */
function useOffer(preset: Preset) {
  const { data: sites = [] } = useQuery(sitesQuery)
  const { data: roles } = useQuery(rolesQuery)
  const [people, setPeople] = useState<ChosenPerson[]>(preset.people ?? [])
  const [roleUid, setRoleUid] = useState(preset.role)
  const [chosenSite, setChosenSite] = useState(preset.site)
  // undefined: no one has chosen any
  const [chosenPlaces, setPlaces] = useState(preset.places)
  const [chosenFrom, setFrom] = useState(preset.from)
  const [chosenTo, setTo] = useState<string>()
  const [wantsOwn, setWantsOwn] = useState(preset.people !== undefined)
  const inUse = roles?.rows.filter(({ in_use }) => in_use) ?? []
  const role = inUse.find(({ uid }) => uid === roleUid)
  const site = chosenSite ?? (sites.length === 1 ? sites[0]?.uid : undefined)
  // the day at the site, wherever the administrator is
  const from = chosenFrom ?? dayIn(sites.find(({ uid }) => uid === site)?.timezone)
  const to = chosenTo ?? yearFrom(from)
  const own = people.length === 1 ? (people[0]?.place ?? null) : null
  const ownFloors = usePlaceOptions(site, role?.domain).filter(({ name }) => role?.domain === 'Floor' && name === own)
  const isOfFloors = people.length > 1 && role?.domain === 'Floor'
  return {
    people,
    sites,
    inUse,
    role,
    site,
    from,
    to,
    own,
    isOfFloors,
    wantsOwn,
    isEach: isOfFloors && wantsOwn,
    places: chosenPlaces ?? ownFloors.map(({ uid }) => uid),
    setPeople,
    setPlaces,
    setFrom,
    setTo,
    setWantsOwn,
    setRole: (uid: WardenRoleUid) => {
      if (inUse.find((one) => one.uid === uid)?.domain !== role?.domain) setPlaces(undefined)
      setRoleUid(uid)
    },
    setSite: (uid: SiteUid) => {
      setPlaces(undefined)
      setChosenSite(uid)
    },
  }
}

function WhoIsLeftOut({ left = 0, chosen }: { left: number | undefined; chosen: number }) {
  return (
    <>
      {left > 0 && <p>{count(left, 'person', 'people')} left out: visitors and inactive people hold no role.</p>}
      {chosen > mostPeople && (
        <Notice variant="warning">A role is offered to at most {mostPeople} people at once.</Notice>
      )}
    </>
  )
}

/** Offers a role to people, or enters it as accepted. */
export function OfferDialog({ preset, onOffered, onClose }: OfferDialogProps) {
  const client = useQueryClient()
  const offered = useOffer(preset)
  const { people, role, site, from, to, isEach, places, setPeople, setPlaces } = offered
  const [accepted, setAccepted] = useState(false)
  const [tell, setTell] = useState(true)
  const save = async () => {
    if (people.length === 0 || !role || !site) throw new Error('the button is disabled')
    const area = role.domain === 'Site' || isEach ? [] : places
    await offer({
      people: people.map(({ uid }) => uid),
      role: role.uid,
      site,
      places: area,
      from,
      to,
      accepted,
      tell: tell && !accepted,
      ...(isEach && { own_floors: true }),
    })
    onOffered?.()
    await readWardensAgain(client)
  }
  return (
    <FormDialog
      title="Offer a role"
      action={accepted ? 'Record as accepted' : 'Offer'}
      isReady={people.length > 0 && people.length <= mostPeople && role !== undefined && site !== undefined}
      done={`${accepted ? 'Recorded as accepted for' : 'Offered to'} ${count(people.length, 'person', 'people')}.`}
      fields={['people', 'from', 'to', 'places']}
      onSave={save}
      another={{
        label: accepted ? 'Enter & next' : 'Offer & next',
        onSaved: () => {
          setPeople([])
          setPlaces(undefined)
        },
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <PeoplePicker people={people} onChange={setPeople} most={mostPeople} kind="staff" />
          <WhoIsLeftOut left={preset.left} chosen={people.length} />
          {errorOf('people') && <p className="text-sm text-danger-ink">{errorOf('people')}</p>}
          <SelectField
            label="Role"
            value={role?.uid ?? ''}
            placeholder="Choose"
            options={offered.inUse.map((one) => ({ value: one.uid, label: labelOf(one) }))}
            onChange={offered.setRole}
          />
          {role && startsEvents(role) && people.length <= mostPeople && (
            <SignInOrigins people={people.map(({ uid }) => uid)} />
          )}
          <SelectField
            label="Site"
            value={site ?? ''}
            placeholder="Choose"
            options={offered.sites.map(({ uid, name }) => ({ value: uid, label: name }))}
            onChange={offered.setSite}
          />
          {offered.isOfFloors && (
            <Checkbox label="Each on their own floor" checked={offered.wantsOwn} onChange={offered.setWantsOwn} />
          )}
          {role && site && !isEach && (
            <PlacesField
              {...{ site, domain: role.domain, chosen: places, own: offered.own, onChange: setPlaces }}
              error={errorOf('places')}
            />
          )}
          <DaysFields {...{ from, to, errorOf }} onFrom={offered.setFrom} onTo={offered.setTo} />
          <Checkbox label="They have already agreed." checked={accepted} onChange={setAccepted} />
          {!accepted && <Checkbox label="Tell them by email or text" checked={tell} onChange={setTell} />}
        </>
      )}
    </FormDialog>
  )
}
