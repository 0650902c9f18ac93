import { safetyStatuses, statusShortLabel } from '#kernel/vocabulary.ts'
import { statusLook } from '#web/evacuees/status-look.ts'
import { formatCount } from '#web/lib/counts.ts'
import type { EventRecord } from '../../calls/record.ts'
import { durationOf, ticksOf, timeTicksOf } from '../../figures.ts'
import { Chart, stepsPath } from '../parts/chart.tsx'
import { None } from '../parts/none.tsx'
import { useSay } from '../parts/say.ts'
import { Table } from '../parts/table.tsx'

type Step = readonly [safe: number, unknown: number, danger: number]
const height = 100
const total = (step: Step) => step[0] + step[1] + step[2]
/** The order of the areas from the foot: as in `steps`. */
const areas = [
  ['safe', (step: Step) => step[0]],
  ['unknown', (step: Step) => step[0] + step[1]],
  ['danger', total],
] as const

/** Safe, unknown and in danger over the event, one upon the other. */
export function PeopleCurve({ curve, seconds }: { curve: EventRecord['people']['curve']; seconds: number }) {
  const say = useSay()
  if (!curve) return <None why="The journal has no counts to begin with." />
  const { steps, step_seconds } = curve
  const width = Math.max(1, steps.length)
  const most = Math.max(0, ...steps.map(total))
  const [foot, middle, top] = ticksOf(most)
  const edge = (upTo: (step: Step) => number) =>
    stepsPath(
      steps.map((step, at) => [at, height - (upTo(step) / top) * height] as const),
      width,
    )
  const last = steps.at(-1) ?? [0, 0, 0]
  return (
    <Chart
      title="People over time"
      description={say(
        `${formatCount(most)} people in ${durationOf(seconds)}. At the end ${last[0]} safe, ${last[1]} unknown, ${last[2]} in danger.`,
      )}
      width={width}
      height={height}
      up="People"
      since="Time since the start"
      upTicks={[formatCount(foot), formatCount(middle), formatCount(top)]}
      acrossTicks={timeTicksOf(seconds)}
      legend={<Legend />}
      table={<CurveTable steps={steps} stepSeconds={step_seconds} />}
    >
      <Hatches width={width} />
      {areas.toReversed().map(([status, upTo]) => (
        <g key={status}>
          <path d={`${edge(upTo)}V${height}H0Z`} className="rec-area" data-status={status} />
          {status !== 'safe' && <path d={`${edge(upTo)}V${height}H0Z`} fill={`url(#rec-${status})`} />}
          <path d={edge(upTo)} className="rec-edge" vectorEffect="non-scaling-stroke" />
        </g>
      ))}
    </Chart>
  )
}

/** Unknown is striped across, danger along: the areas differ without their colours. The box is stretched, so are they. */
function Hatches({ width }: { width: number }) {
  return (
    <defs>
      <pattern id="rec-unknown" width={width} height="6" patternUnits="userSpaceOnUse">
        <path d={`M0 0H${width}`} stroke="#201600" strokeWidth="0.8" />
      </pattern>
      <pattern id="rec-danger" width={width / 60} height={height} patternUnits="userSpaceOnUse">
        <path d={`M0 0V${height}`} stroke="#ffffff" strokeWidth={width / 200} />
      </pattern>
    </defs>
  )
}

function Legend() {
  const say = useSay()
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {safetyStatuses.map((status) => {
        const { icon: Icon, ink } = statusLook[status]
        return (
          <li key={status} className="flex items-center gap-1.5">
            <span aria-hidden className="rec-swatch" data-status={status} />
            <Icon aria-hidden size={16} className={ink} />
            {say(statusShortLabel[status])}
          </li>
        )
      })}
    </ul>
  )
}

/** Only the steps in which a count changed. */
function CurveTable({ steps, stepSeconds }: { steps: readonly Step[]; stepSeconds: number }) {
  const say = useSay()
  const rows = steps
    .map((step, at) => ({ step, until: (at + 1) * stepSeconds }))
    .filter(({ step }, at) => String(step) !== String(steps[at - 1]))
  return (
    <Table
      caption="People over time"
      rows={rows}
      keyOf={({ until }) => until}
      columns={[
        { head: 'After', cell: ({ until }) => durationOf(until) },
        { head: say('Safe'), number: true, cell: ({ step }) => formatCount(step[0]) },
        { head: 'Unknown', number: true, cell: ({ step }) => formatCount(step[1]) },
        { head: say('Danger'), number: true, cell: ({ step }) => formatCount(step[2]) },
      ]}
    />
  )
}
