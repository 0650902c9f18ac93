import { createContext, useContext } from 'react'
import { useSearch } from 'wouter/use-browser-location'

/** The query of a list that stands beside a thread: the address is the thread's. */
export const OwnSearch = createContext<string | undefined>(undefined)

/** The query of the page that this is drawn for, as in the address. */
export function useOwnSearch(): string {
  const search = useSearch()
  return useContext(OwnSearch) ?? search
}
