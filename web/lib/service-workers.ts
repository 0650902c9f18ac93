/** Removes service workers of an earlier app at this address. This app ships none. */
export async function unregisterServiceWorkers() {
  // Missing on plain http, where no service worker can be registered either.
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
