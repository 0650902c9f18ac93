import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { GroupUid, PersonUid } from '#kernel/ids.ts'
import { meQuery } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { navigate } from '#web/pages/navigate.ts'
import { addPerson, peopleChoicesQuery } from './people.data.ts'
import { changesOf, noPerson, PersonForm, type PersonValues } from './person-form.tsx'

/** 'Add a person'. The next one begins at the place and in the groups of the one before. */
export function NewPersonPage() {
  const queryClient = useQueryClient()
  const isWhole = useQuery(meQuery).data?.rights.includes('organisation') ?? false
  const { data: choices } = useQuery(peopleChoicesQuery)
  const [next, setNext] = useState({ nth: 0, begun: noPerson })
  const made = useRef({ uid: '' as PersonUid, values: noPerson })
  const groupChoices = isWhole
    ? (choices?.groups ?? []).map(({ uid, name }) => ({ value: uid as string, label: name }))
    : []
  const save = async (values: PersonValues, sending: { headers: Record<string, string> }) => {
    const groups = values.groups as GroupUid[]
    const { uid } = await addPerson({ ...changesOf(values, noPerson), ...(groups.length > 0 && { groups }) }, sending)
    made.current = { uid, values }
  }
  const tell = () => {
    toastDone(`Added ${fullName(made.current.values)}.`)
    for (const key of ['people', 'groups', 'group']) void queryClient.invalidateQueries({ queryKey: [key] })
  }
  return (
    <PageFrame title="Add a person" purpose="Counted in events from the next one on." isBelow>
      <PersonForm
        key={next.nth}
        stored={next.begun}
        isNext={next.nth > 0}
        submit="Add"
        groupChoices={groupChoices}
        save={save}
        onSaved={() => {
          tell()
          navigate(`/console/people/${made.current.uid}`, { replace: true })
        }}
        another={{
          label: 'Add and next',
          onSaved: () => {
            tell()
            const { kind, building, floor, visit_date, groups } = made.current.values
            setNext({ nth: next.nth + 1, begun: { ...noPerson, kind, building, floor, visit_date, groups } })
          },
        }}
        onCancel={() => navigate('/console/people')}
      />
    </PageFrame>
  )
}
