import { type ReactNode, useId, useState } from 'react'
import { formatCount } from '#web/lib/counts.ts'
import { Button } from '#web/ui/button.tsx'
import { ticksOf, timeTicksOf } from '../../figures.ts'

interface ChartProps {
  title: string
  /** What the picture shows, in words. */
  description: string
  /** The drawing, in a view box of this width and height. It is stretched to the room there is. */
  children: ReactNode
  width: number
  height: number
  /** What is counted, and three labels of the axis at the left, from its foot. */
  up: string
  upTicks: readonly [string, string, string]
  /** What the axis below measures: 'Time since the start'. */
  since: string
  /** Three labels of the axis of time, from the left. */
  acrossTicks: readonly [string, string, string]
  /** What the areas are, in words. */
  legend: ReactNode
  /** The same as a table. */
  table: ReactNode
}

/** A picture with title and description, which can be shown as a table instead. */
export function Chart(props: ChartProps) {
  const { title, description, children, width, height, up, upTicks, since, acrossTicks, legend, table } = props
  const [isTable, setTable] = useState(false)
  const id = useId()
  return (
    <figure className="grid grid-cols-1 gap-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-semibold">{title}</span>
        <Button variant="outline" aria-pressed={isTable} className="rec-small" onClick={() => setTable(!isTable)}>
          Show as table
        </Button>
      </figcaption>
      {isTable ? (
        table
      ) : (
        <>
          {legend}
          <div className="rec-chart">
            <strong className="rec-up">{up}</strong>
            <div aria-hidden className="rec-scale">
              {upTicks.toReversed().map((words) => (
                <span key={words}>{words}</span>
              ))}
            </div>
            <svg
              role="img"
              aria-labelledby={`${id}-title ${id}-text`}
              viewBox={`0 0 ${width} ${height}`}
              preserveAspectRatio="none"
            >
              <title id={`${id}-title`}>{title}</title>
              <desc id={`${id}-text`}>{description}</desc>
              {children}
              <path
                d={`M0 ${height / 2}H${width}M${width / 2} 0V${height}`}
                className="rec-middle"
                vectorEffect="non-scaling-stroke"
              />
            </svg>
            <div aria-hidden className="rec-below">
              {acrossTicks.map((words) => (
                <span key={words}>{words}</span>
              ))}
            </div>
            <strong className="rec-across">{since}</strong>
          </div>
        </>
      )}
    </figure>
  )
}

/** The upper edge of steps: each holds from its x to the next one's. */
export const stepsPath = (points: readonly (readonly [x: number, y: number])[], end: number) =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}H${points[at + 1]?.[0] ?? end}`).join('')

interface StepChartProps {
  title: string
  /** What is counted: 'Floors'. */
  unit: string
  since: string
  description: string
  /** [seconds from the start, count], oldest first. Each count holds until the next. */
  points: readonly (readonly [seconds: number, count: number])[]
  seconds: number
  /** How many there are. */
  of: number
  table: (rows: StepChartProps['points']) => ReactNode
}

/** One count over time. */
export function StepChart({ title, unit, since, description, points, seconds, of, table }: StepChartProps) {
  const height = 100
  const width = Math.max(2, seconds)
  const [foot, middle, top] = ticksOf(of)
  const drawn = points.map(([at, count]) => [Math.min(at, width), height - (count / top) * height] as const)
  const edge = stepsPath(drawn, width)
  return (
    <Chart
      title={title}
      description={description}
      width={width}
      height={height}
      up={unit}
      since={since}
      upTicks={[formatCount(foot), formatCount(middle), formatCount(top)]}
      acrossTicks={timeTicksOf(seconds)}
      legend={
        <p className="flex items-center gap-1.5 text-sm">
          <span aria-hidden className="rec-swatch" data-count />
          {title}, of {formatCount(of)}
        </p>
      }
      table={table(points)}
    >
      {drawn.length > 0 && (
        <>
          <path d={`${edge}V${height}H${drawn[0]?.[0] ?? 0}Z`} className="rec-fill-link" />
          <path d={edge} className="rec-edge" vectorEffect="non-scaling-stroke" />
        </>
      )}
    </Chart>
  )
}
