import { useEffect } from 'react'
import { navigate as change } from 'wouter/use-browser-location'
import type { Address } from './pages.ts'

interface NavigateOptions {
  /** The page that is left is not come back to. */
  replace?: boolean
  /** What the next page reads from the navigation. */
  state?: unknown
}

/** Opens another page of the app, without loading the program anew. Only a page opened by its address has no state. */
export const navigate = (to: Address, { replace = false, state = {} }: NavigateOptions = {}) =>
  change(to, { replace, state })

/** The page that is open, without what its query and `#` say; it is not loaded anew. */
export const dropQuery = () => change(location.pathname, { replace: true })

/** In place of a page: opens another. */
export function Redirect({ to }: { to: Address }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
