import { useQueryClient } from '@tanstack/react-query'
import { CheckCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { reportLimits } from '#features/self-report/kinds.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useStore } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { isWaitingFor, undoWaiting, undoWords, type Where, waitingStore, waitToHandle } from './waiting-act.ts'

interface Many {
  where: Where
  /** The newest that the list shows. */
  upTo: SelfReportUid | null
  /** Open reports, and the calls for help among them. */
  count: number
  help: number
  /** Calls for help that were counted and not kept. */
  more: number
  /** Those that name one person. */
  naming: number
}

interface ManyActsProps {
  of: Many
  /** 'Accept these {n}' of an entry, 'Accept all {n} that name one person' above the list. */
  acceptWords: (count: string) => string
  canDismiss: boolean
  /** Tells the buttons of one entry from those of another. */
  label?: string
}

/** What is done with many reports at once. It waits 10 s for 'Undo'. */
export function ManyActs({ of, acceptWords, canDismiss, label }: ManyActsProps) {
  const client = useQueryClient()
  const waiting = useStore(waitingStore)
  const { where, upTo, count, more } = of
  if (isWaitingFor(waiting, where))
    return (
      <Button variant="outline" icon={Undo2} className="wide:justify-self-start" onClick={undoWaiting}>
        {undoWords(waiting)}
      </Button>
    )
  const naming = Math.min(of.naming, reportLimits.acceptAll)
  const words = acceptWords(formatCount(naming))
  return (
    <>
      {naming > 0 && upTo !== null && (
        <Button
          icon={CheckCheck}
          className="wide:justify-self-start"
          aria-label={label && `${words}: ${label}`}
          onClick={() => waitToHandle(client, { ...where, act: 'accept', count: naming, upTo })}
        >
          {words}
        </Button>
      )}
      {canDismiss && count + more > 0 && <DismissAll of={of} label={label} />}
    </>
  )
}

/** Asks only where calls for help are among them. */
function DismissAll({ of, label }: { of: Many; label: string | undefined }) {
  const client = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const [withCalls, setWithCalls] = useState(false)
  const { where, upTo, count, help, more } = of
  const [safe, calls] = [count - help, help + more]
  const dismiss = (all: boolean) => {
    setIsOpen(false)
    waitToHandle(client, {
      ...where,
      act: 'dismiss',
      upTo,
      count: all ? safe + calls : safe,
      calls: all ? 'false' : 'keep',
      ...(all && more > 0 && { more }),
    })
  }
  const words = `Dismiss all ${formatCount(safe + calls)}`
  const named = calls === 1 ? '1 call for help' : `${formatCount(calls)} calls for help`
  const open = () => {
    setWithCalls(safe === 0)
    setIsOpen(true)
  }
  return (
    <>
      <Button
        variant="outline"
        className="wide:justify-self-start"
        aria-label={label && `${words}: ${label}`}
        onClick={() => (calls > 0 ? open() : dismiss(false))}
      >
        {words}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={
          safe === 0
            ? `Mark ${named} as false ${calls === 1 ? 'alarm' : 'alarms'}?`
            : `Dismiss ${formatCount(safe)} that say safe?`
        }
        confirm={withCalls ? words : `Dismiss ${formatCount(safe)}`}
        onConfirm={() => dismiss(withCalls)}
        onCancel={() => setIsOpen(false)}
      >
        {safe > 0 && (
          <Checkbox
            label={`Also mark ${named} as false ${calls === 1 ? 'alarm' : 'alarms'}`}
            checked={withCalls}
            onChange={setWithCalls}
          />
        )}
        <p>{withCalls ? 'The calls for help are removed from every board.' : 'The calls for help stay open.'}</p>
      </ConfirmDialog>
    </>
  )
}
