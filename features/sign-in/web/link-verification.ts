import { useEffect, useState } from 'react'
import { useLocationProperty, useSearch } from 'wouter/use-browser-location'
import { useOneAction } from '#web/lib/one-action.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { dropQuery, navigate } from '#web/pages/navigate.ts'
import { getAuth } from '#web/session/stored-auth.ts'
import type { AlertText } from '#web/ui/popups/alert-modal.tsx'
import { readLink, type SignInLink, signInByLink } from './link.data.ts'
import { loadProfile } from './sign-in.data.ts'

/** Verifies the link that the login page was opened with, whoever is signed in. */
export function useLinkVerification() {
  const search = useSearch()
  const hash = useLocationProperty(() => location.hash)
  const [link, setLink] = useState(() => readLink({ search, hash }))
  const [alert, setAlert] = useState<AlertText | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const { running, run } = useOneAction<'verify'>()

  const verify = async (link: SignInLink) => {
    try {
      const refusal = await signInByLink(link)
      if (refusal) {
        setAlert(refusal)
        return setLink(null)
      }
      const failure = await loadProfile()
      if (!failure) return navigate('/reportinlist', { replace: true })
      setAlert(failure)
      setTrouble('You are not signed in yet.')
    } catch (error) {
      setTrouble(sentenceFor(error))
    }
  }
  const start = (link: SignInLink) => run('verify', () => verify(link))

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address; one that differs behind `#` loads no page
  useEffect(() => {
    const opened = readLink({ search, hash })
    if (!opened) return
    // The address loses the token at once: neither a reload nor the history brings it back.
    dropQuery()
    setLink(opened)
    setTrouble(null)
    void start(opened)
  }, [search, hash])

  const closeAlert = () => {
    setAlert(null)
    if (getAuth()) navigate('/reportinlist', { replace: true })
  }
  return {
    /** A link waits for its answer, or for its refusal to be read. */
    isPending: link !== null || alert !== null,
    isVerifying: running !== null || (link !== null && trouble === null),
    /** What went wrong on the way to the server; the link may still be good. */
    trouble: link && trouble,
    tryAgain: () => link && start(link),
    alert,
    closeAlert,
  }
}
