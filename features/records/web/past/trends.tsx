import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SiteUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { type EventKind, eventKinds } from '#kernel/vocabulary.ts'
import { formatDateIn } from '#web/console/zone-time.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Link } from '#web/ui/link.tsx'
import type { listTrends } from '../../calls/records.ts'
import { durationOf } from '../../figures.ts'
import { kindName } from '../../words.ts'
import { None } from '../parts/none.tsx'
import { trendsQuery } from '../parts/records.data.ts'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../parts/warden-or-console.tsx'

type Point = CallReply<typeof listTrends>['points'][number]
interface Measure {
  title: string
  /** Null: there is no such figure. */
  value: (point: Point) => number | null
  words: (value: number) => string
  /** The top of the scale, where it does not follow the values. */
  most?: number
  why: string
}

const share = (part: number, whole: number) => (whole === 0 ? null : (part * 100) / whole)
const percent = (value: number) => `${Math.round(value)}%`
const measures: readonly [Measure, ...Measure[]] = [
  {
    title: 'Time to last clear',
    value: ({ last_clear }) => last_clear,
    words: durationOf,
    why: 'No floor was reported clear.',
  },
  {
    title: 'Highest coverage',
    value: ({ covered, floors }) => share(covered, floors),
    words: percent,
    most: 100,
    why: 'The event had no floors.',
  },
  {
    title: 'Answered within 5 min',
    value: ({ answered, wardens }) => share(answered, wardens),
    words: percent,
    most: 100,
    why: 'There were no wardens.',
  },
]

interface TrendsProps {
  sites: readonly { id: SiteUid; name: string }[]
  /** The site of the filter. */
  site: SiteUid | undefined
}

/** Up to 40 records of a site beside each other. */
export function Trends({ sites, site }: TrendsProps) {
  const [chosen, setChosen] = useState<SiteUid>()
  const shown = site ?? chosen ?? sites[0]?.id
  const id = useId()
  if (!shown) return null
  return (
    <section aria-labelledby={id} className="card grid grid-cols-1 gap-3">
      <h2 id={id} className="text-lg font-bold">
        Trends
      </h2>
      {sites.length > 1 && !site && (
        <SelectField
          label="Site"
          value={shown}
          options={sites.map(({ id: value, name }) => ({ value, label: name }))}
          onChange={setChosen}
        />
      )}
      <TrendsOf site={shown} />
    </section>
  )
}

function TrendsOf({ site }: { site: SiteUid }) {
  const { data } = useQuery(trendsQuery(site))
  const [isTable, setTable] = useState(false)
  const [chosen, setKind] = useState<EventKind>()
  if (!data) return null
  const { points: all, not_drawn } = data
  const kind = chosen ?? (all.some((point) => point.kind === 'drill') ? 'drill' : 'live')
  const points = all.filter((point) => point.kind === kind)
  const kinds = (
    <>
      <div className="flex gap-2">
        {eventKinds.toReversed().map((one) => (
          <Button
            key={one}
            variant="outline"
            aria-pressed={one === kind}
            className="rec-small"
            onClick={() => setKind(one)}
          >
            {one === 'drill' ? 'Of drills' : 'Of live events'}
          </Button>
        ))}
      </div>
      {not_drawn[kind] > 0 && <p className="text-muted">Not drawn: {formatCount(not_drawn[kind])}</p>}
    </>
  )
  if (points.length < 2)
    return (
      <>
        {kinds}
        <p className="text-muted">Trends appear once there are two records.</p>
      </>
    )
  return (
    <>
      {kinds}
      {isTable ? <TrendsTable points={points} /> : <Pictures points={points} />}
      <Button variant="outline" aria-pressed={isTable} className="rec-small" onClick={() => setTable(!isTable)}>
        Show as table
      </Button>
    </>
  )
}

function Pictures({ points }: { points: readonly Point[] }) {
  return (
    <>
      {measures.map((measure) => (
        <Bars key={measure.title} measure={measure} points={points} />
      ))}
    </>
  )
}

const height = 72
const foot = 16

function Bars({
  measure: { title, value, words, most, why },
  points: all,
}: {
  measure: Measure
  points: readonly Point[]
}) {
  const id = useId()
  const points = all.filter((point) => value(point) !== null)
  // a thumb's width on a phone
  const step = useIsWide() ? 26 : 44
  const top = most ?? Math.max(1, ...points.map((point) => value(point) ?? 0))
  const width = points.length * step
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption id={id} className="flex flex-wrap justify-between gap-x-3">
        <span className="font-semibold">{title}</span>
        <span className="text-sm text-muted tabular-nums">up to {words(top)}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-labelledby={id} tabIndex={0} className="rec-bars" ref={toNewest}>
        <svg width={width} height={height + foot} viewBox={`0 0 ${width} ${height + foot}`}>
          <title>{title}</title>
          <desc>The oldest record is on the left. Each bar opens its record.</desc>
          <defs>
            <pattern
              id={`${id}-hatch`}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path d="M0 0V6" className="rec-hatch" />
            </pattern>
          </defs>
          {points.map((point, at) => {
            const of = value(point)
            const tall = of === null ? 0 : Math.max(2, (of / top) * (height - 4))
            return (
              <Link
                key={point.event}
                to={addressOf(`/${point.event}`)}
                aria-label={`Record ${point.number}, ${kindName[point.kind]}: ${of === null ? why : words(of)}`}
              >
                <rect x={at * step} y={0} width={step} height={height + foot} fill="transparent" />
                {of !== null && (
                  <rect
                    x={at * step + 6}
                    y={height - tall}
                    width={step - 12}
                    height={tall}
                    className="rec-bar"
                    data-kind={point.kind}
                    {...(point.kind === 'live' && { fill: `url(#${id}-hatch)` })}
                  />
                )}
                <text x={at * step + step / 2} y={height + foot - 3} textAnchor="middle">
                  {of === null ? '–' : point.number}
                </text>
              </Link>
            )
          })}
        </svg>
      </section>
    </figure>
  )
}

const toNewest = (box: HTMLElement | null) => box?.scrollTo(box.scrollWidth, 0)

function TrendsTable({ points }: { points: readonly Point[] }) {
  return (
    <Table
      caption="Trends"
      rows={points.toReversed()}
      keyOf={({ event }) => event}
      columns={[
        {
          head: 'Record',
          cell: ({ event, number, kind, started_at, timezone }) => (
            <>
              <Link to={addressOf(`/${event}`)} className="rec-title">
                Record {number}
              </Link>
              <span className="block text-sm font-normal text-muted">
                {kindName[kind]}, {formatDateIn(started_at, timezone)}
              </span>
            </>
          ),
        },
        ...measures.map(({ title, value, words, why }) => ({
          head: title,
          number: true as const,
          cell: (point: Point) => {
            const of = value(point)
            return of === null ? <None why={why} /> : words(of)
          },
        })),
      ]}
    />
  )
}
