/** Removes service workers of an earlier app at this address. The one for alerts stays: it serves no page. */
export async function unregisterServiceWorkers() {
  // Missing on plain http, where no service worker can be registered either.
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []
  const alerts = new URL('/push/', location.href).href
  await Promise.all(
    registrations.filter(({ scope }) => scope !== alerts).map((registration) => registration.unregister()),
  )
}
