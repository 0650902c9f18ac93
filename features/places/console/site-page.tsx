import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import { WhenListed } from '#web/console/list/when-listed.tsx'
import { PageFrame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { BuildingCard } from './building-card.tsx'
import { DrillsDialog } from './drills-dialog.tsx'
import { AddFloorDialog, AddSeveralDialog } from './floor-dialogs.tsx'
import { type Act, staysWhile } from './open-dialog.ts'
import { AddDialog, RenameDialog } from './place-dialogs.tsx'
import { type Places, type SitePlace, siteQuery } from './places.data.ts'
import { RetireDialog } from './retire-dialog.tsx'
import { Retired } from './retired.tsx'

interface SitePageProps {
  siteUid: SiteUid
  mayChange: boolean
  /** Retires the site itself. */
  mayRetireSite: boolean
}

/** A site with its buildings and floors. */
export function SitePage({ siteUid, mayChange, mayRetireSite }: SitePageProps) {
  const [building, setBuilding] = useState<BuildingUid>()
  const [act, setAct] = useState<Act | null>(null)
  const read = useQuery(siteQuery(siteUid, building))
  const site = read.data?.sites[0]
  const button = mayChange && site && !site.retired_at && (
    <Button onClick={() => setAct({ kind: 'building', site: siteUid, name: site.name })}>Add a building</Button>
  )
  return (
    <PageFrame
      title={site?.name ?? 'Place'}
      purpose={site ? `Site ${site.code}, ${site.timezone}` : ''}
      button={button}
      isBelow
    >
      <Link to="/console/places" className="console-link">
        All sites
      </Link>
      <WhenListed read={read}>
        {(data) =>
          site && (
            <>
              {mayChange && <SiteActs site={site} mayRetire={mayRetireSite} onAct={setAct} />}
              <Buildings {...{ data, site, building, mayChange }} onBuilding={setBuilding} onAct={setAct} />
            </>
          )
        }
      </WhenListed>
      {act && <Acting act={act} onClose={() => setAct(null)} />}
    </PageFrame>
  )
}

function SiteActs({ site, mayRetire, onAct }: { site: SitePlace; mayRetire: boolean; onAct: (act: Act) => void }) {
  const stays = staysWhile(site)
  const { uid, name, code, version, timezone, people, assignments, documents } = site
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="outline"
        onClick={() => onAct({ kind: 'rename', place: { uid, name, code, version, timezone, zoneStays: stays } })}
      >
        Rename
      </Button>
      <Button variant="outline" onClick={() => onAct({ kind: 'drills', site })}>
        Drills
      </Button>
      {mayRetire && (
        <Button
          variant="outline"
          disabled={stays !== false}
          onClick={() => onAct({ kind: 'retire', place: { uid, name, site: uid, people, assignments, documents } })}
        >
          Retire
        </Button>
      )}
      {stays && <p className="text-sm text-muted">{stays}</p>}
    </div>
  )
}

interface BuildingsProps {
  data: Places
  site: SitePlace
  building: BuildingUid | undefined
  onBuilding: (building: BuildingUid) => void
  mayChange: boolean
  onAct: (act: Act) => void
}

function Buildings({ data, site, building, onBuilding, mayChange, onAct }: BuildingsProps) {
  const inUse = data.buildings.filter(({ retired_at }) => retired_at === null)
  const shown = data.by_building ? inUse.filter(({ uid }) => uid === building) : inUse
  return (
    <>
      {inUse.length === 0 && <p className="console-none">This site has no buildings yet.</p>}
      {data.by_building && (
        <SelectField
          label="Building"
          value={building ?? ''}
          placeholder="Choose a building to see its floors"
          options={inUse.map(({ uid, name }) => ({ value: uid, label: name }))}
          onChange={onBuilding}
        />
      )}
      {shown.map((one) => (
        <BuildingCard
          key={one.uid}
          building={one}
          floors={data.floors.filter((floor) => floor.building === one.uid)}
          {...{ site, mayChange, onAct }}
        />
      ))}
      {mayChange && <Retired places={data.buildings} />}
    </>
  )
}

function Acting({ act, onClose }: { act: Act; onClose: () => void }) {
  if (act.kind === 'building') return <AddDialog within={act} zone="" onClose={onClose} />
  if (act.kind === 'floor') return <AddFloorDialog to={act.to} onClose={onClose} />
  if (act.kind === 'several') return <AddSeveralDialog to={act.to} onClose={onClose} />
  if (act.kind === 'rename') return <RenameDialog place={act.place} onClose={onClose} />
  if (act.kind === 'drills') return <DrillsDialog site={act.site} onClose={onClose} />
  return <RetireDialog place={act.place} onClose={onClose} />
}
