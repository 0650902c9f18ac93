import { useQuery } from '@tanstack/react-query'
import { Notice } from '#web/ui/notice.tsx'
import { rolesQuery } from './wardens.data.ts'

/** Sites where no one has accepted Event_Management for today. */
export function NoManager() {
  const { data } = useQuery(rolesQuery)
  return data?.without_manager.map(({ uid, name }) => (
    <Notice key={uid} variant="warning">
      No one can start an event at {name}.
    </Notice>
  ))
}
