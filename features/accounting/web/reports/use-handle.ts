import { useQueryClient } from '@tanstack/react-query'
import type { SelfReport } from '#features/self-report/calls.ts'
import { ApiError } from '#kernel/client/client.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { toast } from '#web/ui/toast.tsx'
import { type Act, handle, reportsKey, takeOut } from './reports.data.ts'

/** Handles a report. Gives why it was not done: of two wardens the second reads what the first did. */
export function useHandle() {
  const client = useQueryClient()
  const { mutateAsync, isPending, variables } = useKeyedSend(
    ({ report, act }) => `${report.uid} ${JSON.stringify(act)}`,
    handle,
  )
  const act = async (report: SelfReport, act: Act): Promise<string | undefined> => {
    try {
      const { report: done } = await mutateAsync({ report, act })
      takeOut(client, report.uid)
      toast(wordsOf(done), { variant: 'success' })
      return undefined
    } catch (error) {
      const isHandled = error instanceof ApiError && error.code === 'invalid_transition'
      return isHandled ? error.message : 'Not saved. Try again.'
    } finally {
      void client.invalidateQueries({ queryKey: reportsKey })
    }
  }
  return { act, busy: isPending ? variables?.report.uid : undefined }
}

function wordsOf({ state, person, handled }: SelfReport): string {
  if (state === 'accepted') return person ? `Recorded. ${person.name}` : 'Recorded.'
  if (state === 'answered') return handled?.who ? `Answered: ${handled.who}` : 'Answered.'
  return state === 'false' ? 'Marked as a false alarm.' : 'Dismissed.'
}
