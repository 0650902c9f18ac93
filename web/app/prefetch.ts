import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { use, useEffect } from 'react'
import { isAllowed } from '../pages/access.ts'
import { filesOfPage } from '../pages/built-files.ts'
import { pages } from '../pages/pages.ts'
import { useAuth } from '../session/stored-auth.ts'
import { keepPages } from './kept-pages.ts'
import { Screens, type ScreenTable } from './screens.ts'

/** How often it is looked whether the screen has what it asked for, and how long that is waited for. */
const lookMs = 500
const looks = 10

/** The pages that this warden may open: the others are not fetched ahead. */
export const allowedOf = (screens: ScreenTable, auth: Parameters<typeof isAllowed>[0]): ScreenTable =>
  Object.fromEntries(
    pages.flatMap(({ path, access }) => (screens[path] && isAllowed(auth, access) ? [[path, screens[path]]] : [])),
  )

/** Every page whose address is the same for everyone. */
const addressesOf = (screens: ScreenTable) => ['/', ...Object.keys(screens).filter((path) => !path.includes('{'))]

/**
 * Fetches the pages' chunks and addresses, which the phone could not without signal, after what the first screen asks
 * for: on a slow line they would hold it up.
 */
export function usePrefetch() {
  const screens = use(Screens)
  const queryClient = useQueryClient()
  // Another card has other modules.
  const modules = JSON.stringify(useAuth()?.module_access)
  useEffect(() => {
    if (!modules) return
    const allowed = allowedOf(screens, { module_access: JSON.parse(modules), on_duty: true })
    return whenQuiet(queryClient, () => prefetch(allowed).then(() => keepPages(addressesOf(allowed))))
  }, [queryClient, screens, modules])
}

function whenQuiet(queryClient: QueryClient, act: () => unknown) {
  let looked = 0
  const timer = setInterval(() => {
    looked++
    if (queryClient.isFetching() > 0 && looked < looks) return
    clearInterval(timer)
    act()
  }, lookMs)
  return () => clearInterval(timer)
}

/** Into the browser's own cache first: Chromium never asks again for a module whose fetch has failed. */
export async function prefetch(screens: ScreenTable) {
  for (const [path, screen] of Object.entries(screens)) {
    const arrived = await Promise.all(filesOfPage(path).map(arrives))
    if (arrived.every(Boolean)) await screen.load().catch(() => undefined)
  }
}

const arrives = (file: string) =>
  fetch(`/${file}`, { priority: 'low' }).then(
    ({ ok }) => ok,
    () => false,
  )
