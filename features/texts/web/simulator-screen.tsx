import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { ApiError } from '#kernel/client/client.ts'
import { TopBar } from '#web/live/top-bar.tsx'
import { navigate } from '#web/pages/navigate.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { CodeList } from './code-list.tsx'
import { formatMobile } from './format-mobile.ts'
import { PhoneList } from './phone-list.tsx'
import { ReplyForm } from './reply-form.tsx'
import { RingingPhone } from './ringing-phone.tsx'
import { phonesQuery } from './simulator.data.ts'
import { TextList } from './text-list.tsx'

/** Where texts arrive while no real provider sends them. `switchedOff` is drawn where the server has no simulator. */
export function SimulatorScreen({ switchedOff }: { switchedOff: ReactNode }) {
  const mobile = new URLSearchParams(useSearch()).get('mobile')
  const { data: phones, error } = useQuery(phonesQuery(mobile ?? ''))
  if (error instanceof ApiError && error.code === 'not_found') return switchedOff
  const holder = phones?.find((phone) => phone.mobile === mobile)?.name
  return (
    <>
      <TopBar
        title={(mobile && holder) || 'Phone simulator'}
        left={mobile && <IconButton icon={ArrowLeft} label="All phones" plain onClick={() => navigate('/simulator')} />}
        note={
          <p className="text-sm text-muted tabular-nums">
            {mobile ? `Phone simulator, ${formatMobile(mobile)}` : 'Texts and emails stay here. No one receives them.'}
          </p>
        }
      />
      <Page>
        {mobile ? (
          <>
            <RingingPhone key={`ringing ${mobile}`} mobile={mobile} />
            <ReplyForm key={mobile} mobile={mobile} />
            <TextList mobile={mobile} />
          </>
        ) : (
          <>
            <PhoneList onChoose={(chosen) => navigate(`/simulator?mobile=${chosen}`)} />
            <CodeList />
          </>
        )}
      </Page>
    </>
  )
}
