import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browser } from '#web/lib/browser.ts'
import { leaving, useOneAction } from '#web/lib/one-action.ts'
import { errorTitle } from '#web/lib/report-texts.ts'
import { useSignOut } from '#web/outbox/use-sign-out.tsx'
import { navigate } from '#web/pages/navigate.ts'
import { type StoredAuth, useAuth } from '#web/session/stored-auth.ts'
import { Page } from '#web/ui/page.tsx'
import { InfoPopup } from '#web/ui/popups/info-popup.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { useEventWatch } from './event-watch.ts'
import { ReportFacts } from './facts-before-report-in.tsx'
import { type ReportAction, ReportButtons } from './report-buttons.tsx'
import { goNotAvailable, goOnDuty, reportQuery, signInRecordQuery } from './report-in.data.ts'

export function ReportInScreen() {
  const auth = useAuth()
  return auth && <Report auth={auth} />
}

function Report({ auth }: { auth: StoredAuth }) {
  const report = useQuery(reportQuery(auth))
  const record = useQuery({ ...signInRecordQuery(auth), enabled: report.isSuccess })
  useEventWatch(!auth.on_duty)
  const { running, failed: failedAction, press, popup } = useReportActions()
  const failed = [report, record].find(({ isError, data }) => isError && !data)

  return (
    <Page className="min-h-[calc(100dvh-4rem)] grid-rows-[auto_1fr]">
      <ReportFacts report={report.data} />
      {failed && <TryAgain busy={failed.isFetching} onPress={() => void failed.refetch()} />}
      {report.data && (
        <ReportButtons
          report={report.data}
          record={record.data}
          running={running}
          failed={failedAction}
          onPress={press}
        />
      )}
      {popup}
    </Page>
  )
}

interface Popup {
  title: string
  message: string
  /** What Ok leads to: the list after a refusal, out after not available. */
  leadsTo: 'list' | 'sign-out'
}

function useReportActions() {
  const [popup, setPopup] = useState<Popup | null>(null)
  const { running, failed, run } = useOneAction<ReportAction>()
  // Someone may be the last manager on duty on another card
  const { isLeaving, start, check } = useSignOut(() => setPopup(null))

  const refuse = ({ error, message }: { error: string; message: string }) =>
    setPopup({ title: errorTitle(error), message, leadsTo: 'list' })

  const perform: Record<ReportAction, () => Promise<unknown>> = {
    async 'report-in'() {
      const refusal = await goOnDuty()
      if (refusal) return refuse(refusal)
      browser.load('/me/role')
      return leaving
    },
    async 'not-available'() {
      const reply = await goNotAvailable()
      if ('error' in reply) return refuse(reply)
      setPopup({ title: reply.status, message: reply.message, leadsTo: 'sign-out' })
    },
    async 'manage-event'() {
      navigate('/event/management')
    },
    async 'sign-out'() {
      start()
    },
  }
  const handleOk = () => {
    if (popup?.leadsTo === 'list') navigate('/reportinlist')
    else start()
  }

  return {
    running: isLeaving ? 'sign-out' : running,
    failed,
    press: (action: ReportAction) => void run(action, perform[action]),
    popup: (
      <>
        <InfoPopup open={popup !== null} title={popup?.title ?? ''} onClose={handleOk}>
          {popup?.message}
        </InfoPopup>
        {check}
      </>
    ),
  }
}
