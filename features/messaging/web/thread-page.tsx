import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { EvacueeThread, WardenThread } from '../calls/messaging.ts'
import { MessageHistory } from './message-history.tsx'
import { useThreadToasts } from './use-thread-toasts.ts'

interface ThreadPageProps {
  thread: UseQueryResult<EvacueeThread | WardenThread>
  header: ReactNode
  /** The message box. */
  children: ReactNode
}

/** Recipient, history, box: from top to thumb. */
export function ThreadPage({ thread, header, children }: ThreadPageProps) {
  const { data, isError, isFetching, dataUpdatedAt, refetch } = thread
  const forgetToast = useThreadToasts({ isError, dataUpdatedAt })
  const tryAgain = () => {
    forgetToast()
    void refetch()
  }
  const stale = useConnectionHealth().trouble !== null
  return (
    <Page className="min-h-[calc(100dvh-3.75rem)] grid-rows-[1fr]">
      {/* Not a grid: what is sticky in a grid stays in its own row. */}
      <div className="-mx-3 flex min-w-0 flex-col gap-4 px-3">
        {data ? (
          <>
            {header}
            <AsOf at={dataUpdatedAt} stale={stale} />
            {data.recipient ? (
              <MessageHistory messages={data.messages} own={data.senderWardenSignInUid} />
            ) : (
              <p className="py-8 text-center text-lg text-muted">{data.message}</p>
            )}
          </>
        ) : isError ? (
          <TryAgain busy={isFetching} onPress={tryAgain} />
        ) : (
          <Skeleton parts={['line', 'theirs', 'own', 'theirs']} />
        )}
        {children}
      </div>
    </Page>
  )
}
