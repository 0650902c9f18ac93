import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupUid } from '#kernel/ids.ts'
import { Failure } from '#web/console/failure.tsx'
import { meQuery } from '#web/console/me.data.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from './panel.tsx'
import { type Person, peopleChoicesQuery, setMember } from './people.data.ts'

/** The person's groups. Administrators of the organisation change them. */
export function GroupsPanel({ person: { uid, groups } }: { person: Person }) {
  const queryClient = useQueryClient()
  const mayChange = useQuery(meQuery).data?.rights.includes('organisation') ?? false
  const { data: choices } = useQuery(peopleChoicesQuery)
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<string>()
  const others = (choices?.groups ?? []).filter((choice) => groups.every((group) => group.uid !== choice.uid))
  const change = (group: GroupUid, isMember: boolean) =>
    void run(group, async () => {
      setError(null)
      try {
        await setMember(group, uid, isMember)
        toastDone('Saved.')
      } catch (failure) {
        setError(consoleSentence(failure))
      }
      await Promise.all(
        [['person', uid], ['people'], ['groups'], ['group']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    })
  return (
    <Panel title="Groups">
      {groups.length === 0 && <p className="text-muted">None</p>}
      <ul className="grid grid-cols-1 gap-1 empty:hidden">
        {groups.map(({ uid: group, name }) => (
          <li key={group} className="flex items-center justify-between gap-3">
            {mayChange ? (
              <>
                <Link to={`/console/groups/${group}`} className="console-link">
                  {name}
                </Link>
                <Button
                  variant="quiet"
                  aria-label={`Remove from ${name}`}
                  busy={running === group}
                  onClick={() => change(group, false)}
                >
                  Remove
                </Button>
              </>
            ) : (
              name
            )}
          </li>
        ))}
      </ul>
      {mayChange && others.length > 0 && (
        <SelectField
          compact
          label="Add to a group"
          value=""
          placeholder="Choose"
          options={others.map(({ uid: value, name: label }) => ({ value: value as string, label }))}
          onChange={(group) => change(group as GroupUid, true)}
        />
      )}
      <Failure of={error} />
    </Panel>
  )
}
