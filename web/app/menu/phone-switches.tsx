import { useStore } from '../../lib/store.ts'
import { alarmSoundStore, canSound, chooseSound, soundAlarm } from '../../live/alarm/alarm-sound.ts'
import { awakeStore, canStayAwake, chooseAwake } from '../../live/wake-lock.ts'
import { Button } from '../../ui/button.tsx'
import { ToggleChoice } from '../../ui/fields/toggle-choice.tsx'

const choices = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const

/** What is chosen for this phone. A switch is absent where the browser cannot do it. */
export function PhoneSwitches() {
  const sound = useStore(alarmSoundStore)
  const isAwake = useStore(awakeStore)
  return (
    <>
      {canSound && (
        <div className="grid gap-1">
          <div className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <ToggleChoice
                legend="Alarm sound"
                options={choices}
                value={sound === 'off' ? 'off' : 'on'}
                onChange={(value) => chooseSound(value === 'on')}
              />
            </div>
            <Button variant="outline" aria-label="Test alarm sound" onClick={() => void soundAlarm()}>
              Test
            </Button>
          </div>
          <p role="status" className="text-sm text-muted empty:hidden">
            {sound === 'blocked' && 'The browser blocks the sound until you tap the page once.'}
          </p>
        </div>
      )}
      {canStayAwake && (
        <ToggleChoice
          legend="Keep screen awake"
          options={choices}
          value={isAwake ? 'on' : 'off'}
          onChange={(value) => chooseAwake(value === 'on')}
        />
      )}
    </>
  )
}
