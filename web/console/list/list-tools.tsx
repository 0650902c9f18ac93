import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import type { ListAddress } from './list-address.ts'

interface ListToolsProps<Name extends string> {
  address: ListAddress<Name>
  search: string | undefined
  filters: ReactNode
  /** Buttons of the list. */
  tools: ReactNode
  /** Where no header sorts. */
  sort: ReactNode
}

/** Search and filters above a list. On a phone the filters are in a dialog behind 'Filters (n)'. */
export function ListTools<Name extends string>({ address, search, filters, tools, sort }: ListToolsProps<Name>) {
  const isWide = useIsWide()
  const [open, setOpen] = useState(false)
  return (
    <div className="console-tools">
      {search && <ListSearch label={search} address={address} />}
      {filters && isWide && filters}
      {filters && !isWide && (
        <>
          <Button variant="outline" icon={SlidersHorizontal} onClick={() => setOpen(true)}>
            Filters ({address.filtered})
          </Button>
          <Dialog open={open} onClose={() => setOpen(false)} title="Filters" kind="bottom">
            {filters}
            {sort}
            <Button onClick={() => setOpen(false)}>Show</Button>
          </Dialog>
        </>
      )}
      {tools && <div className="console-list-tools">{tools}</div>}
    </div>
  )
}

/** `/` leads here; Esc drops what was typed, then leaves. */
function ListSearch<Name extends string>({ label, address }: { label: string; address: ListAddress<Name> }) {
  const given = address.query.q ?? ''
  const [text, setText] = useState(given)
  const [shown, setShown] = useState(given)
  const box = useRef<HTMLElement>(null)
  const settled = useDebounced(text, limits.searchDebounce)
  // back, forward and 'Clear filters' change the address
  if (given !== shown) {
    setShown(given)
    if (given !== text.trim()) setText(given)
  }
  const { filter } = address
  useEffect(() => {
    if (settled === text && settled.trim() !== given) filter({ q: settled.trim() } as never)
  }, [settled, text, given, filter])
  useSlash(box)
  return (
    <search
      ref={box}
      className="console-search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (text) setText('')
        else (event.target as HTMLElement).blur()
      }}
    >
      <SearchBox label={label} value={text} onChange={setText} />
    </search>
  )
}

/** The key `/` puts the focus into the field, unless someone types or a dialog is open. */
function useSlash(box: React.RefObject<HTMLElement | null>) {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (
        (event.target as HTMLElement).closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog')
      )
        return
      event.preventDefault()
      const input = box.current?.querySelector('input')
      input?.focus()
      input?.select()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [box])
}
