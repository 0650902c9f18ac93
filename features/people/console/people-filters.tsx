import { useQuery } from '@tanstack/react-query'
import type { ListAddress } from '#web/console/list/list-address.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { type PeopleChoices, peopleChoicesQuery, type peopleFilters } from './people.data.ts'

type Name = (typeof peopleFilters)[number]

const any = { value: '', label: 'All' }
const kinds = [any, { value: 'staff', label: 'Staff' }, { value: 'visitor', label: 'Visitors' }]
const states = [
  { value: '', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'all', label: 'Both' },
]
const duties = [any, { value: 'yes', label: 'Wardens' }]
const signIns = [any, { value: 'cannot', label: 'Cannot sign in' }]
const reaches = [any, { value: 'cannot', label: 'Cannot be reached' }]

/** By place, group, kind, state, duty, sign-in and whether anything reaches them. */
export function PeopleFilters({ address }: { address: ListAddress<Name> }) {
  const { data } = useQuery(peopleChoicesQuery)
  const { query, filter } = address
  const field = (name: Name, label: string, options: { value: string; label: string }[]) => (
    <SelectField
      compact
      label={label}
      value={query[name] ?? ''}
      options={options}
      onChange={(value: string) => filter({ [name]: value })}
    />
  )
  const groups = data?.groups.map(({ uid, name }) => ({ value: uid as string, label: name })) ?? []
  return (
    <div className="console-filters">
      {field('place', 'Place', placesOf(data, query.place))}
      {groups.length > 0 && field('group', 'Group', [any, ...groups])}
      {field('kind', 'Kind', kinds)}
      {field('state', 'State', states)}
      {field('wardens', 'Duty', duties)}
      {field('sign_in', 'Sign-in', signIns)}
      {field('reach', 'Reach', reaches)}
    </div>
  )
}

/** Sites with their buildings. A floor comes by its address, from the page of its place. */
function placesOf(choices: PeopleChoices | undefined, chosen: string | undefined) {
  const { sites = [], buildings = [] } = choices ?? {}
  const places = sites.flatMap((site) => [
    { value: site.uid as string, label: site.name },
    ...buildings
      .filter((building) => building.site === site.uid)
      .map(({ uid, name }) => ({ value: uid as string, label: `${site.name} - ${name}` })),
  ])
  const known = [any, { value: 'none', label: 'Without a floor' }, ...places]
  return !chosen || known.some(({ value }) => value === chosen)
    ? known
    : [...known, { value: chosen, label: 'One floor' }]
}
