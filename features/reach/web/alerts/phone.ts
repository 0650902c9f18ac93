import { call } from '#web/session/api.ts'

/** How alerts stand on this phone. `home screen`: an iPhone takes them in the installed app alone. */
export type Alerts = 'off' | 'on' | 'denied' | 'home screen' | 'not possible'

const scope = '/push/'

/** The page may load scripts of its own address alone, and registers this worker only. */
const policy = () =>
  (
    window as {
      trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown } }
    }
  ).trustedTypes?.createPolicy('evac-alerts', { createScriptURL: () => '/push/worker.js' })
let workerAddress: unknown

const isIphone = () => /iPhone|iPad/.test(navigator.userAgent)
const isInstalled = () => matchMedia('(display-mode: standalone)').matches

export async function readAlerts(): Promise<Alerts> {
  if (isIphone() && !isInstalled()) return 'home screen'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'not possible'
  if (Notification.permission === 'denied') return 'denied'
  return (await findSubscription()) ? 'on' : 'off'
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks for the permission, which the browser does only after a press. Throws if the phone or the server refuses. */
export async function turnOn(key: string): Promise<Alerts> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  workerAddress ??= policy()?.createScriptURL('') ?? '/push/worker.js'
  const registration = await navigator.serviceWorker.register(workerAddress as string, { scope })
  const { endpoint } = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  await call('POST /api/push', { body: { endpoint } })
  return 'on'
}

export async function turnOff(): Promise<Alerts> {
  const subscription = await findSubscription()
  if (subscription) {
    await call('POST /api/push/off', { body: { endpoint: subscription.endpoint } })
    await subscription.unsubscribe()
  }
  return 'off'
}

/** Says that this phone, where alerts are on, is the caller's, and is still in use. */
export async function keepAlerts(): Promise<void> {
  const subscription = await findSubscription()
  if (subscription) await call('POST /api/push', { body: { endpoint: subscription.endpoint } })
}
