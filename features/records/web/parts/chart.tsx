import { type ReactNode, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { durationOf } from '../../figures.ts'

interface ChartProps {
  title: string
  /** What the picture shows, in words. */
  description: string
  /** The drawing, in a view box of this width and height. It is stretched to the room there is. */
  children: ReactNode
  width: number
  height: number
  /** Words at the top and the foot of the scale at the left. */
  scale: readonly [top: string, foot: string]
  /** Words below, from the left to the right. */
  below: readonly string[]
  legend?: ReactNode
  /** The same as a table. */
  table: ReactNode
}

/** A picture with title and description, which can be shown as a table instead. */
export function Chart(props: ChartProps) {
  const { title, description, children, width, height, scale, below, legend, table } = props
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
            <div aria-hidden className="rec-scale">
              {scale.map((words) => (
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
            </svg>
            <div aria-hidden className="rec-below">
              {below.map((words) => (
                <span key={words}>{words}</span>
              ))}
            </div>
          </div>
        </>
      )}
    </figure>
  )
}

/** Start, middle and end of so many seconds. */
export const timeScale = (seconds: number) => [...new Set([0, seconds / 2, seconds].map(durationOf))]

/** The upper edge of steps: each holds from its x to the next one's. */
export const stepsPath = (points: readonly (readonly [x: number, y: number])[], end: number) =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}H${points[at + 1]?.[0] ?? end}`).join('')

interface StepChartProps {
  title: string
  description: string
  /** [seconds from the start, count], oldest first. Each count holds until the next. */
  points: readonly (readonly [seconds: number, count: number])[]
  seconds: number
  /** The top of the scale. */
  of: number
  table: (rows: StepChartProps['points']) => ReactNode
}

/** One count over time. */
export function StepChart({ title, description, points, seconds, of, table }: StepChartProps) {
  const height = 100
  const width = Math.max(1, seconds)
  const drawn = points.map(([at, count]) => [Math.min(at, width), height - (count / Math.max(1, of)) * height] as const)
  const edge = stepsPath(drawn, width)
  return (
    <Chart
      title={title}
      description={description}
      width={width}
      height={height}
      scale={[String(of), '0']}
      below={timeScale(seconds)}
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
