import { Pause, Play } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { usePlaying } from './use-playing.ts'

const speeds = [1, 5, 20, 60]
const moves: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  PageDown: -10,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 10,
}

/** Where a key leads, from this step. */
function stepBy(key: string, step: number, last: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const by = moves[key]
  return by === undefined ? undefined : step + by
}

interface ControlsProps {
  playing: ReturnType<typeof usePlaying>
  steps: number
  /** Steps with a key moment. */
  ticks: readonly number[]
  /** The time of then, at the site. */
  clock: string
}

/** Play, speed, and the slider. Only time can be pressed. */
export function Controls({ playing, steps, ticks, clock }: ControlsProps) {
  const { step, speed, setSpeed, isPlaying, goTo, toggle } = playing
  const handleKey = (event: KeyboardEvent) => {
    const isOnButton = event.target instanceof HTMLButtonElement
    const to = stepBy(event.key, step, steps - 1)
    const isSpace = event.key === ' ' && !isOnButton
    if ((to === undefined && !isSpace) || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (to === undefined) toggle()
    else goTo(to)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the controls in it, wherever the focus is
    <div className="rec-foot rpl-controls pin-bottom" onKeyDown={handleKey}>
      <div className="rpl-slider">
        <input
          type="range"
          aria-label="Time"
          aria-valuetext={clock}
          min={0}
          max={steps - 1}
          value={step}
          onChange={(event) => goTo(Number(event.currentTarget.value))}
        />
        <svg aria-hidden viewBox={`0 0 ${Math.max(1, steps - 1)} 1`} preserveAspectRatio="none">
          {ticks.map((tick) => (
            <path key={tick} d={`M${tick} 0V1`} vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
      </div>
      <time className="rpl-clock">{clock}</time>
      <Button icon={isPlaying ? Pause : Play} onClick={toggle}>
        <span className="rpl-word">{isPlaying ? 'Pause' : 'Play'}</span>
      </Button>
      <fieldset aria-label="Speed" className="rpl-speeds">
        {speeds.map((one) => (
          <Button
            key={one}
            variant={one === speed ? 'blue' : 'outline'}
            aria-pressed={one === speed}
            onClick={() => setSpeed(one)}
          >
            {one}x
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
