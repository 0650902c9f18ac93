import { type ReactNode, useState } from 'react'
import type { SiteUid } from '#kernel/ids.ts'
import { SelectField } from './select-field.tsx'

interface SiteChoiceProps {
  /** Sites whose events the reader manages. */
  sites: readonly { id: SiteUid; name: string }[]
  /** Chosen at first, if it is one of them. */
  first?: SiteUid | undefined
  children: (site: SiteUid) => ReactNode
}

/** What is shown of one site, with the choice of another where there are several. */
export function SiteChoice({ sites, first, children }: SiteChoiceProps) {
  const [chosen, setChosen] = useState(sites.some(({ id }) => id === first) ? first : sites[0]?.id)
  if (!chosen) return <p className="text-muted">You do not manage events at any site.</p>
  return (
    <>
      {sites.length > 1 && (
        <SelectField
          label="Site"
          value={chosen}
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
      )}
      {children(chosen)}
    </>
  )
}
