import { useState } from 'react'
import { phoneStorage } from '#web/lib/phone-storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { OwnSignInChanges } from '../calls.ts'
import { didThis, ifUnexpected, signInChanges } from '../words.ts'

const key = 'sign-in-changes-read'
/** More than the calls answer, for those who share this device. */
const mostRead = 60

function readClosed(): string[] {
  try {
    const stored: unknown = JSON.parse(phoneStorage.get(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/**
 * What others changed in the own sign-in. Closed on this device alone: someone who signs in as this person elsewhere must not be
 * able to hide it from them.
 */
export function SignInChangesNotice({
  own,
  format,
}: {
  own: OwnSignInChanges | undefined
  format: (at: string) => string
}) {
  const [closed, setClosed] = useState(readClosed)
  const open = own?.changes.filter(({ uid }) => !closed.includes(uid)) ?? []
  const close = () => {
    const all = [...closed, ...open.map(({ uid }) => uid)].slice(-mostRead)
    phoneStorage.set(key, JSON.stringify(all))
    setClosed(all)
  }
  if (!own || open.length === 0) return null
  return (
    <section aria-label="Changes to your sign-in">
      <Notice variant="warning">
        <ul className="grid gap-1">
          {open.map(({ uid, what, by, at }) => (
            <li key={uid} className="wrap-anywhere">
              {signInChanges[what].told(by)}. <span className="font-normal">{didThis(by, format(at))}</span>
            </li>
          ))}
        </ul>
        <p className="mt-1 font-normal wrap-anywhere">{ifUnexpected(own.contact)}</p>
        <Button variant="outline" className="mt-2" onClick={close}>
          Close
        </Button>
      </Notice>
    </section>
  )
}
