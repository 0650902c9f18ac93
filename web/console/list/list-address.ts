import { useMemo } from 'react'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import { navigate } from '../../pages/navigate.ts'
import type { Address } from '../../pages/pages.ts'

/** Search, filters and place of a list, as the address has them. They are the query of its call. */
export type ListQuery<Name extends string> = { [N in Name | 'q' | 'after' | 'before']?: string }

export interface ListAddress<Name extends string = never> {
  query: ListQuery<Name>
  /** How many filters are set, search and order aside. */
  filtered: number
  /** Sets or (by an empty text) drops filters, and begins at the first page. The former address is not come back to. */
  filter: (changes: { [N in Name | 'q']?: string }) => void
  /** To a neighbouring page. */
  turn: (to: { after: string } | { before: string }) => void
  clear: () => void
}

/** Filters and place of a list stand in the address, so back and bookmarks work. Unknown names are dropped. */
export function useListAddress<const Name extends string>(names: readonly Name[]): ListAddress<Name> {
  const pathname = usePathname()
  const search = useSearch()
  const all = names.join()
  return useMemo(() => {
    const given = new URLSearchParams(search)
    const known = [...all.split(',').filter(Boolean), 'q', 'after', 'before']
    const query = Object.fromEntries(
      known.flatMap((name) => {
        const value = given.get(name)
        return value ? [[name, value]] : []
      }),
    )
    const go = (next: { [name: string]: string | undefined }, replace: boolean) => {
      const text = new URLSearchParams(
        Object.entries(next).filter((pair): pair is [string, string] => Boolean(pair[1])),
      ).toString()
      navigate((text ? `${pathname}?${text}` : pathname) as Address, { replace })
    }
    const { after: _, before: __, ...filters } = query
    return {
      query: query as ListQuery<Name>,
      filtered: Object.keys(filters).filter((name) => name !== 'q' && name !== 'sort').length,
      filter: (changes) => go({ ...filters, ...changes }, true),
      turn: (to) => go({ ...filters, ...to }, false),
      clear: () => go({}, true),
    }
  }, [pathname, search, all])
}
