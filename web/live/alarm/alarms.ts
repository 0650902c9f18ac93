import type { AlarmPlace } from '#features/live-updates/calls/alarms.ts'
import { isQuiet } from '../../lib/look/quiet.ts'
import { openChannel } from '../../lib/phone-storage.ts'
import { navigate } from '../../pages/navigate.ts'
import { call } from '../../session/api.ts'
import { getAuth } from '../../session/stored-auth.ts'
import { toast, withdrawToast } from '../../ui/toast.tsx'
import { onNews } from '../feed-news.ts'
import { sayTotalNow } from '../response.ts'
import { isSoundChosen, soundAlarm, unlockByGesture } from './alarm-sound.ts'
import { AlarmWatch } from './alarm-watch.ts'
import { alarmAddress, alarmCount, alarmWords } from './alarm-words.ts'

const slot = 'alarm'

/**
 * Raises alarms for the participation until the returned function is called. Several tabs share what was looked
 * at, and one of them sounds.
 */
export function startAlarms(participation: string): () => void {
  const tabs = openChannel(`alarms of ${participation}`)
  const looked = () => {
    const position = watch.looked()
    if (position) tabs?.postMessage(position)
  }
  const show = (places: readonly AlarmPlace[]) => {
    showInTitle(alarmCount(places))
    if (places.length === 0) withdrawToast(slot)
  }
  const raise = (places: readonly AlarmPlace[]) => {
    void signal()
    if (isOnBoard()) {
      looked()
      return
    }
    show(places)
    const auth = getAuth()
    const address = auth && alarmAddress(places, auth)
    const open = (to: NonNullable<typeof address>) => {
      looked()
      navigate(to)
    }
    toast(alarmWords(places, sayTotalNow), {
      variant: 'danger',
      slot,
      lasts: true,
      onDismiss: looked,
      ...(address && { action: { label: 'Open', onAct: () => open(address) } }),
    })
  }
  const watch = new AlarmWatch({
    ask: (positions) => call('GET /api/v2/warden/alarms', { query: positions ?? {} }),
    raise,
    show,
  })
  tabs?.addEventListener('message', ({ data }) => watch.lookedAt(String(data)))
  const stops = [onNews((news) => watch.note(news)), unlockByGesture()]

  return () => {
    watch.stop()
    tabs?.close()
    for (const stop of stops) stop()
    show([])
  }
}

/** The command board shows and says what raised the alarm. A toast would cover its totals. */
const isOnBoard = () => location.pathname === '/event/board' && document.visibilityState === 'visible'

/** The title itself stays. */
function showInTitle(count: number) {
  const title = document.title.replace(/^\(\d+\) /, '')
  document.title = count > 0 ? `(${count}) ${title}` : title
}

/** Milliseconds. Longer than the sound, shorter than the time between alarms. */
const soundLasts = 5000

/** The browser vibrates in the visible tab only. Of several tabs one sounds, the visible one if there is one. */
async function signal() {
  if (isQuiet()) return
  // Chrome reports an error for a page that no one has touched.
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([300, 150, 300, 150, 300])
  if (!isSoundChosen()) return
  if (!navigator.locks) return soundAlarm()
  if (document.visibilityState === 'hidden') await new Promise((done) => setTimeout(done, 500))
  await navigator.locks
    .request('alarm sound', { ifAvailable: true }, async (lock) => {
      if (!lock) return
      await soundAlarm()
      await new Promise((done) => setTimeout(done, soundLasts))
    })
    .catch(soundAlarm)
}
