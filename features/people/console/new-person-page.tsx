import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { PersonUid } from '#kernel/ids.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { navigate } from '#web/pages/navigate.ts'
import { addPerson } from './people.data.ts'
import { changesOf, noPerson, PersonForm } from './person-form.tsx'

/** 'Add a person'. */
export function NewPersonPage() {
  const queryClient = useQueryClient()
  const made = useRef<PersonUid>(null)
  return (
    <PageFrame title="Add a person" purpose="Counted in events from the next one on." isBelow>
      <PersonForm
        stored={noPerson}
        submit="Add"
        save={async (values, sending) => {
          made.current = (await addPerson(changesOf(values, noPerson), sending)).uid
        }}
        onSaved={() => {
          toastDone('Added.')
          void queryClient.invalidateQueries({ queryKey: ['people'] })
          navigate(`/console/people/${made.current}`, { replace: true })
        }}
        onCancel={() => navigate('/console/people')}
      />
    </PageFrame>
  )
}
