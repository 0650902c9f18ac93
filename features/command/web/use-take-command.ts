import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'
import type { CommandTurnUid } from '#kernel/ids.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'
import { commandQuery, takeCommand } from './command.data.ts'

/** '{name} has just taken command.', else that nothing was saved. */
export const toastNotSaved = (error: Error) =>
  toast(error instanceof ApiError && error.code === 'command_changed' ? error.message : 'Not saved. Try again.', {
    variant: 'danger',
    slot: 'command',
  })

/** What is on screen is read again, whatever the answer. */
export function useTakeCommand() {
  const client = useQueryClient()
  const { mutate, isPending } = useKeyedSend((turn: CommandTurnUid) => turn, takeCommand)
  const take = (turn: CommandTurnUid) =>
    mutate(turn, {
      onSuccess: (state) => client.setQueryData(commandQuery.queryKey, state),
      onError: toastNotSaved,
      onSettled: () => void client.invalidateQueries({ queryKey: ['command'] }),
    })
  return { take, isPending }
}
