/** SESSION-23: removes any offline worker of an earlier app at this address; this app ships none. */
export async function unregisterServiceWorkers() {
  // Absent on plain http, where no worker can be registered either.
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
