import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { toastFailure } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

/** Moves one row and saves the order of all. */
export function useOrder<U extends string>(
  rows: readonly { uid: U }[],
  queryKey: QueryKey,
  save: (uids: U[]) => Promise<unknown> = async () => undefined,
) {
  const queryClient = useQueryClient()
  const { running, run } = useOneAction<'order'>()
  const move = (at: number, by: 1 | -1) =>
    void run('order', async () => {
      const uids = rows.map(({ uid }) => uid)
      const [moved] = uids.splice(at, 1)
      if (moved) uids.splice(at + by, 0, moved)
      await save(uids).catch(toastFailure)
      await queryClient.invalidateQueries({ queryKey })
    })
  return { running: running !== null, move }
}

interface MoveButtonsProps {
  /** Of the row. */
  name: string
  /** Its position among so many. */
  at: number
  of: number
  busy: boolean
  onMove: (by: 1 | -1) => void
}

export const MoveButtons = ({ name, at, of, busy, onMove }: MoveButtonsProps) => (
  <>
    <IconButton
      icon={ArrowUp}
      label={`Move up: ${name}`}
      plain
      disabled={busy || at === 0}
      onClick={() => onMove(-1)}
    />
    <IconButton
      icon={ArrowDown}
      label={`Move down: ${name}`}
      plain
      disabled={busy || at === of - 1}
      onClick={() => onMove(1)}
    />
  </>
)
