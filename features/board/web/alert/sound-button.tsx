import { useStore } from '#web/lib/store.ts'
import { canSound } from '#web/live/alarm/alarm-sound.ts'
import { boardSoundStore, chooseBoardSound } from './board-sound.ts'

/** The word is how it stands now. */
export function SoundButton() {
  const sound = useStore(boardSoundStore)
  if (!canSound) return null
  return (
    <span className="bd-sound">
      <button type="button" className="bd-button" onClick={() => chooseBoardSound(sound === 'off')}>
        {sound === 'off' ? 'Sound off' : 'Sound on'}
      </button>
      <span role="status">{sound === 'blocked' && 'Press once to allow sound.'}</span>
    </span>
  )
}
