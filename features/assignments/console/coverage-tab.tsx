import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import { useListAddress } from '#web/console/list/list-address.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { Preset } from './offer-dialog.tsx'
import { type Coverage, coverageQuery, sitesQuery } from './wardens.data.ts'

interface CoverageTabProps {
  onOffer: (preset: Preset) => void
}

/** Who has which floor of a site on a day. Site, building and day stand in the address. */
export function CoverageTab({ onOffer }: CoverageTabProps) {
  const address = useListAddress(['site', 'building', 'day'])
  const { data: sites, error } = useQuery(sitesQuery)
  const site = (address.query.site ?? sites?.[0]?.uid) as SiteUid | undefined
  if (error && !sites) return <Notice variant="danger">The list could not be loaded.</Notice>
  if (!sites) return <Skeleton parts={['line', 'line', 'line']} />
  if (!site) return <p className="console-none">There are no sites yet.</p>
  return (
    <>
      {sites.length > 1 && (
        <SelectField
          label="Site"
          value={site}
          options={sites.map(({ uid, name }) => ({ value: uid, label: name }))}
          onChange={(chosen: string) => address.filter({ site: chosen, building: '' })}
        />
      )}
      <OfSite key={site} {...{ site, address, onOffer }} />
    </>
  )
}

interface OfSiteProps extends CoverageTabProps {
  site: SiteUid
  address: ReturnType<typeof useListAddress<'site' | 'building' | 'day'>>
}

function OfSite({ site, address, onOffer }: OfSiteProps) {
  const { day, building } = address.query
  const query = { site, ...(day && { day }), ...(building && { building: building as BuildingUid }) }
  const { data, error, refetch, isFetching } = useQuery(coverageQuery(query))
  if (error)
    return (
      <>
        <Notice variant="danger">The list could not be loaded.</Notice>
        <TryAgain onPress={() => void refetch()} busy={isFetching} />
      </>
    )
  if (!data) return <Skeleton parts={['line', 'line', 'line']} />
  return (
    <>
      <Days data={data} onDay={(chosen) => address.filter({ day: chosen })} />
      <WideWardens data={data} />
      {data.by_building && (
        <SelectField
          label="Building"
          value={building ?? data.floors[0]?.building ?? ''}
          options={data.buildings.map(({ uid, name }) => ({ value: uid, label: name }))}
          onChange={(chosen: string) => address.filter({ building: chosen })}
        />
      )}
      {data.floors.length === 0 ? (
        <p className="console-none">This site has no floors yet.</p>
      ) : (
        <Floors data={data} onOffer={(cell) => onOffer({ site, from: data.day, ...cell })} />
      )}
    </>
  )
}

const weekday = new Intl.DateTimeFormat('en-AU', { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

/** 14 days as buttons, each with its floors without a warden. */
function Days({ data, onDay }: { data: Coverage; onDay: (day: string) => void }) {
  return (
    <ul aria-label="Days" className="console-days">
      {data.days.map(({ day, without }) => (
        <li key={day}>
          <button type="button" aria-current={day === data.day ? 'date' : undefined} onClick={() => onDay(day)}>
            <span>{weekday.format(new Date(day))}</span>{' '}
            <span className={without > 0 ? 'font-bold text-danger-ink' : 'text-muted'}>{without}</span>{' '}
            <span className="sr-only">without a warden</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The building and site wardens of the day. */
function WideWardens({ data }: { data: Coverage }) {
  const names = new Map(data.buildings.map(({ uid, name }) => [uid, name]))
  return (
    <section aria-label="Building and site wardens" className="card grid gap-1">
      <h2 className="font-bold">Building and site wardens, {formatDate(data.day)}</h2>
      {data.wardens.length === 0 && <p className="text-muted">No one</p>}
      <ul className="empty:hidden">
        {data.wardens.map(({ name, role, building }) => (
          <li key={`${name} ${role} ${building}`}>
            {name}, <span className="text-muted">{building ? `${role}, ${names.get(building)}` : role}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Cell = Pick<Preset, 'role' | 'places'>

function Floors({ data, onOffer }: { data: Coverage; onOffer: (cell: Cell) => void }) {
  const names = new Map(data.buildings.map(({ uid, name }) => [uid, name]))
  return (
    <section aria-label="Coverage" className="overflow-x-auto rounded-xl border border-hairline bg-surface">
      <table className="console-table console-coverage">
        <caption className="sr-only">Coverage, {formatDate(data.day)}</caption>
        <thead className="bg-raised text-muted">
          <tr>
            {['Floor', ...data.roles.map(({ name }) => name)].map((head) => (
              <th key={head} scope="col" className="font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.floors.map((floor) => {
            const isOpen = floor.cells.every(({ accepted }) => accepted.length === 0)
            return (
              <tr key={floor.uid} className={isOpen ? 'console-gap' : undefined}>
                <th scope="row">
                  <span className="block font-semibold wrap-anywhere">
                    {names.get(floor.building)} - {floor.name}
                  </span>
                  {isOpen && (
                    <span className="inline-flex items-center gap-1 text-danger-ink">
                      <CircleAlert aria-hidden size={16} /> No warden
                    </span>
                  )}
                </th>
                {data.roles.map(({ uid, name }) => (
                  <td key={uid}>
                    <button
                      type="button"
                      className="console-cell"
                      aria-label={`${name}, ${floor.name}: ${wordsOf(floor, uid) || 'no one'}. Offer the role`}
                      onClick={() => onOffer({ role: uid, places: [floor.uid] })}
                    >
                      {wordsOf(floor, uid) || <span className="text-muted">Offer</span>}
                    </button>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** '{name}', or '2 accepted, 1 offered'. */
function wordsOf({ cells }: Coverage['floors'][number], role: string): string {
  const cell = cells.find((one) => one.role === role)
  if (!cell) return ''
  const { accepted, offered } = cell
  if (accepted.length === 1 && offered === 0) return accepted[0] ?? ''
  const parts = [accepted.length > 0 && `${accepted.length} accepted`, offered > 0 && `${offered} offered`]
  return parts.filter(Boolean).join(', ')
}
