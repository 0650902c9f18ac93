// Shows that the site needs its warden. It serves no page, keeps nothing, and reads nothing: an alert has no content.
self.addEventListener('push', (event) => {
  event.waitUntil(
    self.registration.showNotification('Evac', {
      body: 'Your site needs you. Open Evac.',
      icon: '/icon-192.png',
      tag: 'evac',
      renotify: true,
      requireInteraction: true,
    }),
  )
})
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(self.clients.openWindow('/reportinlist'))
})
